/** Creates the extension's environment and installs the bundled server; runs only when the user asks for it. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Server } from '../client';
import { interpreter } from './candidates';
import { neutralFolder, ownEnvironment } from './locate';
import { newEnough } from './probe';

/** The wheel that this extension was packaged with, if any. */
export function bundledWheel(context: vscode.ExtensionContext): string | undefined {
  const folder = join(context.extensionPath, 'bundled');
  const name = existsSync(folder) ? readdirSync(folder).find((file) => file.endsWith('.whl')) : undefined;
  return name === undefined ? undefined : join(folder, name);
}

async function systemPython(cwd: string): Promise<readonly string[] | undefined> {
  const all = process.platform === 'win32' ? [['py', '-3'], ['python']] : [['python3'], ['python']];
  for (const python of all) {
    if (await newEnough(python, cwd)) {
      return python;
    }
  }
  return undefined;
}

/** Run a program and log its output; rejects if it fails or is cancelled. */
function run(command: readonly string[], cwd: string, log: vscode.LogOutputChannel, token: vscode.CancellationToken): Promise<void> {
  const [program = '', ...words] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd, windowsHide: true });
    const cancelling = token.onCancellationRequested(() => child.kill());
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => log.info(text.trimEnd()));
    }
    child.on('error', reject);
    child.on('close', (code) => {
      cancelling.dispose();
      if (code === 0) {
        resolve();
      } else {
        reject(new Error(token.isCancellationRequested ? 'cancelled' : `${program} ended with ${code}`));
      }
    });
  });
}

/** Install the bundled server; returns whether it succeeded. A message names the problem if not. */
export async function install(context: vscode.ExtensionContext, log: vscode.LogOutputChannel, server: Server): Promise<boolean> {
  const cwd = neutralFolder(context);
  const wheel = bundledWheel(context);
  const python = wheel && (await systemPython(cwd));
  if (!wheel || !python) {
    const why = wheel ? 'Python 3.10 or newer is not on PATH' : 'this build of the extension contains no server';
    void vscode.window.showErrorMessage(`editahead: ${why}. Install the server from its repository and name it in the settings.`);
    return false;
  }
  const environment = ownEnvironment(context);
  const options = { location: vscode.ProgressLocation.Notification, title: 'editahead: installing the server', cancellable: true };
  const before = server.state;
  server.setState({ kind: 'installing' });
  try {
    await vscode.window.withProgress(options, async (progress, token) => {
      rmSync(environment, { recursive: true, force: true });
      progress.report({ message: 'creating an environment' });
      await run([...python, '-m', 'venv', environment], cwd, log, token);
      progress.report({ message: 'downloading dependencies' });
      const own = interpreter(environment, process.platform === 'win32');
      await run([own, '-m', 'pip', 'install', '--disable-pip-version-check', wheel], cwd, log, token);
    });
    return true; // the start that follows sets the state
  } catch (error) {
    server.setState(before);
    rmSync(environment, { recursive: true, force: true }); // or the next start would find an incomplete one
    log.error(`the server could not be installed: ${(error as Error).message}`);
    const show = 'Show Log';
    const text = `editahead: the server could not be installed (${(error as Error).message}).`;
    if ((await vscode.window.showErrorMessage(text, show)) === show) {
      log.show();
    }
    return false;
  }
}
