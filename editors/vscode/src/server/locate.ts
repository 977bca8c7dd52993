/** Finds the server for this window from the settings, the workspace and the machine. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { mkdirSync } from 'node:fs';
import * as vscode from 'vscode';
import { candidates } from './candidates';
import { findServer, type LocatedServer } from './probe';

/** Working directory of the server and of programs that are asked for their version.
 *
 * Never the workspace: `python -m editahead` would run an `editahead.py` in it.
 */
export function neutralFolder(context: vscode.ExtensionContext): string {
  const folder = context.globalStorageUri.fsPath;
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The environment that `install` makes. */
export function ownEnvironment(context: vscode.ExtensionContext): string {
  return join(context.globalStorageUri.fsPath, 'environment');
}

/** The part of the Python extension's API that is used. */
interface PythonApi {
  readonly environments?: { getActiveEnvironmentPath?(): { readonly path: string } };
}

/** The interpreter selected in the Python extension, if that is active. */
function chosenInterpreter(): string {
  const extension = vscode.extensions.getExtension<PythonApi>('ms-python.python');
  const chosen = extension?.isActive ? extension.exports.environments?.getActiveEnvironmentPath?.().path : undefined;
  return chosen !== undefined && isAbsolute(chosen) ? chosen : '';
}

/** The first server that answers, or a reason for each place without one. */
export function locate(context: vscode.ExtensionContext): Promise<LocatedServer | string[]> {
  const settings = vscode.workspace.getConfiguration('editahead.server');
  const folders = vscode.workspace.workspaceFolders ?? [];
  const search = {
    command: settings.get<string[]>('command', []),
    python: settings.get<string>('python', '').trim(),
    chosen: vscode.workspace.isTrusted ? chosenInterpreter() : '',
    folders: vscode.workspace.isTrusted ? folders.map((folder) => folder.uri.fsPath) : [],
    own: ownEnvironment(context),
    home: homedir(),
    windows: process.platform === 'win32',
  };
  return findServer(candidates(search), neutralFolder(context));
}
