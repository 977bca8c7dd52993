/** Entry point of the extension: creates its parts and connects them. */
import * as vscode from 'vscode';
import { Server } from './client';
import { registerCommands } from './commands';
import { Ghost } from './ghost';
import { NextEdit } from './nextEdit/controller';
import { Decorations } from './nextEdit/decorations';
import { Pages } from './pages';
import { bundledWheel, install } from './server/install';
import { locate } from './server/locate';
import { outdated, type LocatedServer } from './server/probe';
import { asksForRestart } from './settings';
import { Status } from './status';
import { hintOnce, openTour } from './tour';

let stop: () => Promise<void> = async () => {};

/** VS Code waits for this, so that the server can shut down. */
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

/** A function that finds a server and starts it. Calls run one after another. */
function startOnce(context: vscode.ExtensionContext, server: Server, log: vscode.LogOutputChannel): () => Promise<void> {
  let last = Promise.resolve();
  const begin = async (): Promise<void> => {
    server.setState({ kind: 'starting' });
    const found = await locate(context);
    if (Array.isArray(found)) {
      await server.stop();
      server.setState({ kind: 'missing' });
      log.warn(`no server was found:\n  ${found.join('\n  ')}`);
      void help(context, server, log, found, start);
      return;
    }
    try {
      await server.start(found);
      void hintOnce(context);
      void offerUpdate(context, server, log, found, start);
    } catch (error) {
      log.error(`the server did not start: ${String(error)}`);
      server.setState({ kind: 'missing' });
      void help(context, server, log, [`${found.from}: it did not start`], start);
    }
  };
  const start = (): Promise<void> => (last = last.then(begin, begin));
  return start;
}

/** Offer an update if the extension contains another version of the server than the one it installed earlier. */
async function offerUpdate(
  context: vscode.ExtensionContext,
  server: Server,
  log: vscode.LogOutputChannel,
  found: LocatedServer,
  start: () => Promise<void>,
): Promise<void> {
  if (!outdated(found, bundledWheel(context))) {
    return;
  }
  const update = 'Update';
  const text = `editahead: server ${found.version} is running; this extension contains another version.`;
  if ((await vscode.window.showInformationMessage(text, update)) === update) {
    await server.stop(); // its files are in use
    await install(context, log, server);
    await start();
  }
}

/** One message that says what is missing, with a button for each remedy. */
async function help(
  context: vscode.ExtensionContext,
  server: Server,
  log: vscode.LogOutputChannel,
  reasons: readonly string[],
  start: () => Promise<void>,
): Promise<void> {
  const [installing, how, settings, details] = ['Install', 'How to Install', 'Open Settings', 'Show Log'];
  const everywhere = vscode.workspace.isTrusted
    ? 'searched the workspace, the extension\'s environment and PATH'
    : 'searched the extension\'s environment and PATH; the workspace is not trusted';
  const why = reasons.length === 1 ? reasons[0] : everywhere;
  const buttons = [bundledWheel(context) ? installing : how, settings, details];
  const chosen = await vscode.window.showWarningMessage(`editahead: no server was found (${why}).`, ...buttons);
  if (chosen === installing && (await install(context, log, server))) {
    await start();
  } else if (chosen === how) {
    await openTour(context, 'server');
  } else if (chosen === settings) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'editahead.server');
  } else if (chosen === details) {
    log.show();
  }
}
