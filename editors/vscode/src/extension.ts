/** Wires the parts together; what each does stands in its own file. */
import * as vscode from 'vscode';
import { Server } from './client';
import { registerCommands } from './commands';
import { Ghost } from './ghost';
import { NextEdit } from './nextEdit/controller';
import { Decorations } from './nextEdit/decorations';
import { Pages } from './pages';
import { bundledWheel, install } from './server/install';
import { locate } from './server/locate';
import { outdated, type Found } from './server/probe';
import { asksForRestart } from './settings';
import { Status } from './status';
import { hintOnce, openTour } from './tour';

let stop: () => Promise<void> = async () => {};

/** VS Code waits for this, so that the server is told of the end. */
export function deactivate(): Promise<void> {
  return stop();
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('editahead', { log: true });
  const ghost = new Ghost();
  const server = new Server(context, log, ghost.provide);
  ghost.server = server;
  stop = () => server.stop();
  const pages = new Pages();
  const start = startOnce(context, server, log);
  context.subscriptions.push(
    log,
    pages,
    ghost,
    server,
    new Status(server),
    new NextEdit(server, ghost, new Decorations(context)),
    registerCommands({ context, server, pages, log, start }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (asksForRestart(event)) {
        void start();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      if (server.state.kind === 'missing') {
        void start();
      }
    }),
  );
  await start();
}

/** Find a server and start it. Calls one after another: a second one waits for the first. */
function startOnce(context: vscode.ExtensionContext, server: Server, log: vscode.LogOutputChannel): () => Promise<void> {
  let last = Promise.resolve();
  const begin = async (): Promise<void> => {
    server.become({ kind: 'starting' });
    const found = await locate(context);
    if (Array.isArray(found)) {
      await server.stop();
      server.become({ kind: 'missing' });
      log.warn(`no server was found:\n  ${found.join('\n  ')}`);
      void help(context, log, found, start);
      return;
    }
    try {
      await server.start(found);
      void hintOnce(context);
      void offerUpdate(context, server, log, found, start);
    } catch (error) {
      log.error(`the server did not start: ${String(error)}`);
      server.become({ kind: 'missing' });
      void help(context, log, [`${found.from}: it did not start`], start);
    }
  };
  const start = (): Promise<void> => (last = last.then(begin, begin));
  return start;
}

/** The extension was updated and holds another server than the one it installed before: offer that one. */
async function offerUpdate(
  context: vscode.ExtensionContext,
  server: Server,
  log: vscode.LogOutputChannel,
  found: Found,
  start: () => Promise<void>,
): Promise<void> {
  if (!outdated(found, bundledWheel(context))) {
    return;
  }
  const update = 'Update';
  const text = `editahead: the server ${found.version} runs; this extension holds another one.`;
  if ((await vscode.window.showInformationMessage(text, update)) === update) {
    await server.stop(); // its files are in use
    await install(context, log);
    await start();
  }
}

/** One message that says what is missing, with the ways out as buttons. */
async function help(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  reasons: readonly string[],
  start: () => Promise<void>,
): Promise<void> {
  const [installing, how, settings, details] = ['Install', 'How to Install', 'Open Settings', 'Show Log'];
  const everywhere = vscode.workspace.isTrusted
    ? 'looked in the workspace, in its own environment and on PATH'
    : 'looked in its own environment and on PATH, as this workspace is not trusted';
  const why = reasons.length === 1 ? reasons[0] : everywhere;
  const buttons = [bundledWheel(context) ? installing : how, settings, details];
  const chosen = await vscode.window.showWarningMessage(`editahead: no server was found (${why}).`, ...buttons);
  if (chosen === installing && (await install(context, log))) {
    await start();
  } else if (chosen === how) {
    await openTour(context, 'server');
  } else if (chosen === settings) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'editahead.server');
  } else if (chosen === details) {
    log.show();
  }
}
