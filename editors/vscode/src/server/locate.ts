/** The server of this window: what the settings, the workspace and the machine offer. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import * as vscode from 'vscode';
import { candidates } from './candidates';
import { find, type Found } from './probe';

/** The folder in which the server and the programs that we ask are started.
 *
 * Never the workspace: `python -m editahead` would run an `editahead.py` that lies there.
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

/** The first server that answers, or one line for each place without one. */
export function locate(context: vscode.ExtensionContext): Promise<Found | string[]> {
  const settings = vscode.workspace.getConfiguration('editahead.server');
  const folders = vscode.workspace.workspaceFolders ?? [];
  const around = {
    command: settings.get<string[]>('command', []),
    python: settings.get<string>('python', '').trim(),
    folders: vscode.workspace.isTrusted ? folders.map((folder) => folder.uri.fsPath) : [],
    own: ownEnvironment(context),
    home: homedir(),
    windows: process.platform === 'win32',
  };
  return find(candidates(around), neutralFolder(context));
}
