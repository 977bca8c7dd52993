/** The commands of the palette, except those of next edits and ghost text. */
import * as vscode from 'vscode';
import type { Server } from './client';
import { LANGUAGES } from './languages';
import { explanationText, type Explanation, type Stats } from './explain';
import type { Pages } from './pages';
import { withPreview } from './preview';
import { Recording } from './record';
import { install } from './server/install';
import { neutralFolder } from './server/locate';
import { output } from './server/probe';
import { toggleLanguage } from './settings';
import { markDone, openTour } from './tour';

const DOCTOR_TIMEOUT = 120_000; // milliseconds: it checks every file and runs every model

interface Parts {
  readonly context: vscode.ExtensionContext;
  readonly server: Server;
  readonly pages: Pages;
  readonly log: vscode.LogOutputChannel;
  /** Find a server and start it; shows what to do when there is none. */
  readonly start: () => Promise<void>;
}

function inform(text: string): void {
  void vscode.window.showInformationMessage(`editahead: ${text}`);
}

/** The active editor if the server serves its language; otherwise a message says so. */
function servedEditor(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !LANGUAGES.includes(editor.document.languageId)) {
    inform('open a file of a supported language first');
    return undefined;
  }
  return editor;
}

function placeOf(editor: vscode.TextEditor): { textDocument: { uri: string; version: number }; position: { line: number; character: number } } {
  const { line, character } = editor.selection.active;
  return { textDocument: { uri: editor.document.uri.toString(), version: editor.document.version }, position: { line, character } };
}

async function explainHere({ server, pages }: Parts): Promise<void> {
  const editor = servedEditor();
  if (!editor) {
    return;
  }
  const place = placeOf(editor);
  const answer = await server.request<Explanation | null>('editahead/explain', place);
  const stats = await server.request<Stats>('editahead/stats', {});
  if (!answer) {
    inform('the server did not answer; see the log');
    return;
  }
  const name = vscode.workspace.asRelativePath(editor.document.uri);
  const { line, character } = place.position;
  await pages.show('Explanation', explanationText(`${name}:${line + 1}:${character + 1}`, answer, stats ?? { surfaces: {} }));
}

async function scoreboard({ server, pages }: Parts): Promise<void> {
  const stats = await server.request<{ readonly scoreboard?: { readonly text: string } }>('editahead/stats', {});
  if (stats?.scoreboard) {
    await pages.show('Scoreboard', stats.scoreboard.text);
  } else {
    inform('no server is running, or it is older than this extension');
  }
}

async function doctor({ context, server, pages }: Parts): Promise<void> {
  const { found } = server.state;
  if (!found) {
    inform('no server is running, so there is nothing to check');
    return;
  }
  const options = { location: vscode.ProgressLocation.Window, title: 'editahead: checking the installation' };
  const run = output([...found.command, 'doctor'], neutralFolder(context), true, DOCTOR_TIMEOUT);
  const text = await vscode.window.withProgress(options, () => run.catch((error: Error) => error.message));
  await pages.show('Doctor', `${text}\n`);
}

async function installServer({ context, server, log, start }: Parts): Promise<void> {
  await server.stop(); // its files may be the ones that are replaced
  await install(context, log, server);
  await start();
}

async function toggle(): Promise<void> {
  const editor = servedEditor();
  if (editor) {
    const language = editor.document.languageId;
    inform(`${language} is ${(await toggleLanguage(language)) ? 'on' : 'off'}`);
  }
}

async function snooze({ server }: Parts): Promise<void> {
  const choices = [5, 10, 30, 60, 240].map((minutes) => ({ label: minutes < 60 ? `${minutes} minutes` : `${minutes / 60} h`, minutes }));
  const all = server.state.status?.message === 'snoozed' ? [{ label: 'Wake up now', minutes: 0 }, ...choices] : choices;
  const chosen = await vscode.window.showQuickPick(all, { placeHolder: 'Show no suggestions for …' });
  if (chosen) {
    await server.execute('editahead.snooze', chosen.minutes);
  }
}

interface Action {
  readonly title: string;
  readonly edit: Parameters<NonNullable<Server['running']>['protocol2CodeConverter']['asWorkspaceEdit']>[0];
  readonly command: { readonly command: string; readonly arguments: readonly unknown[] };
}

/** Apply a repeated edit at all remaining places that are likely enough; edits of several files are shown in a preview first, and undone together. */
async function applyAll({ server }: Parts): Promise<void> {
  const editor = servedEditor();
  if (!editor) {
    return;
  }
  const { textDocument, position } = placeOf(editor);
  const context = { diagnostics: [], only: ['refactor.rewrite'] };
  const actions = await server.request<Action[]>('textDocument/codeAction', { textDocument, range: { start: position, end: position }, context });
  const client = server.running;
  if (!client || !actions || actions.length === 0) {
    inform('no repeated edit has further places that are likely enough');
    return;
  }
  const action = actions.length === 1 ? actions[0] : await chosenOf(actions);
  const edit = action && (await client.protocol2CodeConverter.asWorkspaceEdit(action.edit));
  if (!action || !edit) {
    return;
  }
  if (await vscode.workspace.applyEdit(withPreview(edit, action.title), { isRefactoring: true })) {
    server.accept(action);
    markDone('next');
    inform(action.title.replace(/^Apply/, 'applied').replace(/^Rename/, 'renamed'));
  } else {
    inform('nothing was applied: the preview was closed, or the text has changed');
  }
}

async function chosenOf(actions: readonly Action[]): Promise<Action | undefined> {
  const picked = await vscode.window.showQuickPick(actions.map((action) => ({ label: action.title, action })));
  return picked?.action;
}

async function menu(): Promise<void> {
  const items = [
    ['$(bell-slash) Snooze…', 'editahead.pause'],
    ['$(circle-slash) Switch this language on or off', 'editahead.toggleLanguage'],
    ['$(question) Explain here: why something is shown, or nothing', 'editahead.explain'],
    ['$(graph) Scoreboard: what became of suggestions', 'editahead.scoreboard'],
    ['$(replace-all) Apply the repeated edit to all places', 'editahead.applyAll'],
    ['$(debug-restart) Restart the server', 'editahead.restart'],
    ['$(pulse) Doctor: check the installation', 'editahead.doctor'],
    ['$(output) Show the log', 'editahead.showLog'],
    ['$(gear) Settings', 'editahead.openSettings'],
  ].map(([label = '', command = '']) => ({ label, command }));
  const chosen = await vscode.window.showQuickPick(items, { title: 'editahead' });
  if (chosen) {
    await vscode.commands.executeCommand(chosen.command);
  }
}

/** Register all commands; disposing of the result removes them. */
export function registerCommands(parts: Parts): vscode.Disposable {
  const recording = new Recording(parts.server);
  const all: Record<string, () => unknown> = {
    'editahead.restart': parts.start,
    'editahead.doctor': () => doctor(parts),
    'editahead.install': () => installServer(parts),
    'editahead.tour': () => openTour(parts.context),
    'editahead.explain': () => {
      markDone('why');
      return explainHere(parts);
    },
    'editahead.scoreboard': () => scoreboard(parts),
    'editahead.toggleLanguage': toggle,
    'editahead.pause': () => snooze(parts),
    'editahead.applyAll': () => applyAll(parts),
    'editahead.recordSession': () => recording.start(),
    'editahead.stopRecording': () => recording.stop(),
    'editahead.menu': menu,
    'editahead.showLog': () => parts.log.show(),
    'editahead.openSettings': () => vscode.commands.executeCommand('workbench.action.openSettings', 'editahead'),
  };
  const registered = Object.entries(all).map(([name, act]) => vscode.commands.registerCommand(name, act));
  return vscode.Disposable.from(recording, ...registered);
}
