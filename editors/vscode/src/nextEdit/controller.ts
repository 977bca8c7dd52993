/** The next edit: requested after a change, shown at its place; one key jumps there, then applies it. */
import * as vscode from 'vscode';
import { SELECTOR, type Server } from '../client';
import type { Ghost } from '../ghost';
import { announcesNextEdits, hintWanted, nextEditDelay } from '../settings';
import { markDone } from '../tour';
import { cellOf, showAt } from './cells';
import { TabAfterLastEdit } from './lastEdit';
import { endAfter, hunksOf, touchedRows, replacementOf, startOf, type Hunk } from './change';
import type { Decorations } from './decorations';
import { offScreenHint, drawingOf } from './drawing';
import { announcement, otherCellHint, otherFileHint, placeHint, remainingPlaces, tabIndents } from './keys';
import { linesOf, toPoint, type NextEditAnswer, type ShownEdit } from './shownEdit';

const SHOWN = 'editahead.nextEditShown';
const TAB = 'editahead.nextEditTab';
/** Milliseconds without a key after which typing counts as finished. */
const IDLE_AFTER = 400;

/** Whether a problem starts at the cursor. */
function isAtProblem({ uri }: vscode.TextDocument, cursor: vscode.Position | undefined): boolean {
  return cursor !== undefined && vscode.languages.getDiagnostics(uri).some(({ range }) => range.start.isEqual(cursor));
}

export class NextEdit implements vscode.Disposable {
  private shown: ShownEdit | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** Milliseconds without a key until a place is requested, while that is pending. */
  private placeWait: number | undefined;
  private pending: vscode.CancellationTokenSource | undefined;
  private applying = false;
  private switchingFile = false;
  private cursorLine = 0;
  private jumpTimer: NodeJS.Timeout | undefined;
  private readonly afterLast: TabAfterLastEdit;
  private readonly statusItem = vscode.window.createStatusBarItem('editahead.nextEdit', vscode.StatusBarAlignment.Right, 101);
  private readonly listeners: vscode.Disposable;

  constructor(
    private readonly server: Server,
    private readonly ghost: Ghost,
    private readonly decorations: Decorations,
  ) {
    this.afterLast = new TabAfterLastEdit(decorations);
    this.statusItem.name = 'editahead: next edit';
    this.statusItem.command = 'editahead.nextEdit.accept';
    this.ghost.onOffer = () => {
      if (this.shown?.learned) {
        this.hide(); // text goes first
      }
    };
    this.listeners = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument((event) => this.documentChanged(event)),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.activeEditorChanged(editor)),
      vscode.window.onDidChangeTextEditorSelection((event) => this.selectionChanged(event)),
      vscode.window.onDidChangeTextEditorVisibleRanges((event) => this.update(event.textEditor)),
      vscode.commands.registerCommand('editahead.nextEdit.accept', () => this.accept()),
      vscode.commands.registerCommand('editahead.nextEdit.tab', () => this.tab()),
      vscode.commands.registerCommand('editahead.nextEdit.reject', () => this.reject()),
      server.onDidChange((state) => {
        if (state.kind !== 'running' || state.status?.kind !== 'Normal') {
          this.hide();
        }
      }),
    );
  }

  dispose(): void {
    this.hide();
    vscode.Disposable.from(this.listeners, this.statusItem, this.decorations).dispose();
  }

  /** Hide what is shown and cancel the pending request. */
  hide(): void {
    clearTimeout(this.timer);
    clearTimeout(this.jumpTimer);
    this.timer = undefined;
    this.placeWait = undefined;
    this.pending?.cancel();
    this.pending = undefined;
    const { shown } = this;
    this.statusItem.hide();
    if (shown) {
      this.shown = undefined;
      this.decorations.clear(shown.editor);
      void vscode.commands.executeCommand('setContext', SHOWN, false);
      void vscode.commands.executeCommand('setContext', TAB, false);
    }
  }

  /** Request the next edit now. `rested`: milliseconds without a key; from IDLE_AFTER on, a name counts as finished. `invoked`: by the user. */
  async request(rested = IDLE_AFTER, invoked = false): Promise<void> {
    this.hide();
    await this.ask(rested, invoked, false);
  }

  /** Request a place once the user has rested for longer; what is shown until then stays. An edit goes first here, too. */
  private requestPlaceSoon(wait: number): void {
    clearTimeout(this.timer);
    this.placeWait = wait;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.placeWait = undefined;
      void this.ask(IDLE_AFTER, false, true);
    }, wait);
  }

  private async ask(rested: number, invoked: boolean, forPlace: boolean): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !vscode.languages.match(SELECTOR, editor.document)) {
      return;
    }
    const { document } = editor;
    const pending = new vscode.CancellationTokenSource();
    this.pending = pending;
    const place = {
      textDocument: { uri: document.uri.toString(), version: document.version },
      position: toPoint(editor.selection.active),
      context: { idle: rested >= IDLE_AFTER, ...(invoked ? { triggerKind: 1 } : {}) },
    };
    const answer = await this.server.request<NextEditAnswer>('editahead/nextEdit', place, pending.token);
    if (this.pending === pending) {
      this.pending = undefined;
    }
    const item = answer?.edits[0];
    if (!answer || pending.token.isCancellationRequested || vscode.window.activeTextEditor !== editor) {
      return;
    }
    if (!item) {
      if (!forPlace) {
        this.showNothing(remainingPlaces(answer.detail));
      }
      if (rested < IDLE_AFTER) {
        this.timer = setTimeout(() => void this.request(), IDLE_AFTER - rested);
      } else if (answer.placeAfterMs !== undefined) {
        this.requestPlaceSoon(answer.placeAfterMs);
      }
      return;
    }
    const { uri, version } = item.textDocument;
    if (version === null) {
      this.show({ editor, item, hunks: [], start: item.range.start, probability: item.probability, unopened: vscode.Uri.parse(uri) });
      return;
    }
    const there = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri);
    if (there && version === there.version) {
      const target = there === document ? undefined : there;
      const hunks = item.jump ? [] : hunksOf(linesOf(there), item.range, item.text);
      const [first] = hunks;
      if (item.jump) {
        const { start } = item.range;
        const learned = item.source === 'place';
        this.show({ editor, item, hunks, start, probability: item.probability, target, message: item.message ?? '', learned });
      } else if (first) {
        this.show({ editor, item, hunks, start: startOf(first, linesOf(there)), probability: item.probability, target });
      }
    }
  }

  /** There is no next edit: absorb one Tab after an accepted edit, and name the places that are left. */
  private showNothing(left: string | undefined): void {
    this.afterLast.holdTab(left ?? 'no more places');
    if (left) {
      this.statusItem.text = left;
      const uncertain = /^\d+ more/.test(left);
      this.statusItem.tooltip = uncertain ? 'Further places for your last edit, less certain.' : 'They need an edit of yours.';
      this.statusItem.show();
    }
  }

  private show(shown: ShownEdit): void {
    const { editor, item, hunks, start, probability, message, learned } = shown;
    const elsewhere = shown.target ?? shown.unopened;
    if (learned && this.ghost.offersIn(editor.document)) {
      return;
    }
    if (!elsewhere && this.cursorIsAt(editor, hunks) && this.ghost.offersOn(editor.document, editor.selection.active.line)) {
      return; // ghost text is shown on this line already
    }
    this.afterLast.release();
    this.shown = shown;
    if (!elsewhere && message !== undefined) {
      this.decorations.showPlace(editor, start.line, learned ? undefined : message);
    } else if (!elsewhere) {
      const size = typeof editor.options.tabSize === 'number' ? editor.options.tabSize : 4;
      const percent = Math.round(100 * probability);
      const hover = `editahead: next edit (${percent} %). Tab jumps and applies, Escape rejects it.`;
      this.decorations.show(editor, drawingOf(hunks, linesOf(editor.document), size), start.line, hover);
    }
    void vscode.commands.executeCommand('setContext', SHOWN, true);
    this.server.notify('textDocument/didShowInlineEdit', item);
    this.update(editor);
  }

  private cursorIsAt(editor: vscode.TextEditor, hunks: readonly Hunk[]): boolean {
    const [first, last] = touchedRows(hunks, linesOf(editor.document));
    const row = editor.selection.active.line;
    return row >= first && row <= last;
  }

  /** Update hint, status bar item and key context after the cursor or the view has moved. */
  private update(editor: vscode.TextEditor): void {
    const { shown } = this;
    this.afterLast.update();
    if (this.placeWait !== undefined) {
      this.requestPlaceSoon(this.placeWait); // whoever moves knows where to go
    }
    if (!shown || shown.editor !== editor) {
      return;
    }
    const { line } = shown.start;
    const ranges = editor.visibleRanges.map((range) => ({ first: range.start.line, last: range.end.line }));
    const path = shown.target?.uri.path ?? shown.unopened?.path;
    const reason = shown.learned ? shown.message : undefined;
    const row = editor.selection.active.line;
    const cell = shown.target && cellOf(shown.target);
    const sameNotebook = cell !== undefined && cell.notebook === cellOf(editor.document)?.notebook;
    const far = sameNotebook ? otherCellHint(cell.index, line, reason) : path ? otherFileHint(path, editor.document.uri.path, line, reason) : reason ? placeHint(line, row, reason) : offScreenHint(line, ranges);
    this.decorations.showHint(editor, far && hintWanted() ? far : undefined);
    this.statusItem.text = far ?? `next edit: line ${line + 1}`;
    const jumps = shown.message === undefined ? 'Tab jumps and applies' : 'Tab jumps';
    const what = shown.message === undefined ? '' : `${shown.message}. `;
    this.statusItem.tooltip = `Probability ${Math.round(100 * shown.probability)} %. ${what}${jumps}, Escape rejects it.`;
    // A status bar item with the role of an alert is read when it appears; the API has nothing else for screen readers.
    const label = `${announcement(shown.hunks, line, shown.message ?? far)}. ${jumps}, Escape rejects it.`;
    this.statusItem.accessibilityInformation = announcesNextEdits() ? { label, role: 'alert' } : { label };
    this.statusItem.show();
    void vscode.commands.executeCommand('setContext', TAB, !this.tabIndents(shown));
  }

  private tabIndents(shown: ShownEdit): boolean {
    const { document, selection } = shown.editor;
    return tabIndents(document.lineAt(selection.active.line).text, toPoint(selection.active), shown.jumped);
  }

  /** After a jump by a command, as to the next problem or search hit, the next edit there is requested. */
  private selectionChanged({ textEditor, selections, kind }: vscode.TextEditorSelectionChangeEvent): void {
    const cursor = selections[0]?.active;
    const line = cursor?.line ?? 0;
    const isFar = Math.abs(line - this.cursorLine) > 1; // commands also move by a character or a line
    const isJump = kind === vscode.TextEditorSelectionChangeKind.Command && (isFar || isAtProblem(textEditor.document, cursor));
    const isWaiting = this.timer !== undefined && this.placeWait === undefined;
    const isFree = !this.shown && !isWaiting && !this.pending && !this.applying && !this.switchingFile;
    if (isJump && isFree && textEditor === vscode.window.activeTextEditor) {
      clearTimeout(this.jumpTimer);
      this.jumpTimer = setTimeout(() => void this.request(), nextEditDelay());
    }
    this.cursorLine = line;
    this.update(textEditor);
  }

  private activeEditorChanged(editor: vscode.TextEditor | undefined): void {
    if (!this.switchingFile && (!editor || editor !== this.shown?.editor)) {
      this.afterLast.release();
      this.hide();
    }
  }

  private documentChanged(event: vscode.TextDocumentChangeEvent): void {
    const editor = vscode.window.activeTextEditor;
    if (event.contentChanges.length > 0 && event.document === this.shown?.target) {
      this.hide(); // its position is out of date
    }
    if (event.contentChanges.length > 0 && event.document === editor?.document && !this.applying) {
      this.afterLast.release();
      this.hide();
      const delay = nextEditDelay();
      this.timer = setTimeout(() => void this.request(delay), delay);
    }
  }

  /** Tab: accepts, unless the cursor is in the indentation now. */
  private async tab(): Promise<void> {
    if (this.afterLast.consumeTab()) {
      return;
    }
    if (!this.shown || this.tabIndents(this.shown)) {
      await vscode.commands.executeCommand('tab');
    } else {
      await this.accept();
    }
  }

  /** Jump to the edit, or apply it if the cursor is there; request one if none is shown. */
  private async accept(): Promise<void> {
    const { shown } = this;
    if (!shown) {
      await this.request(IDLE_AFTER, true);
    } else if (shown.target) {
      await this.goToFile(shown, shown.target);
    } else if (shown.unopened) {
      await this.openFile(shown, shown.unopened);
    } else if (this.cursorIsAt(shown.editor, shown.hunks)) {
      await this.apply(shown);
    } else {
      this.jump(shown);
      await this.arrived(shown);
    }
  }

  /** Put the cursor to an edit of its document. */
  private jump(shown: ShownEdit): void {
    shown.jumped = shown.start;
    const at = new vscode.Position(shown.start.line, shown.start.character);
    shown.editor.selection = new vscode.Selection(at, at);
    shown.editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    this.update(shown.editor);
  }

  /** Open the file that contains the edit. The server knows it from then on: the edit is requested again, for its text. */
  private async openFile({ start }: ShownEdit, uri: vscode.Uri): Promise<void> {
    const at = new vscode.Position(start.line, start.character);
    this.hide();
    this.switchingFile = true;
    try {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { selection: new vscode.Range(at, at) });
    } finally {
      this.switchingFile = false;
    }
    await this.request();
    if (this.shown && !this.shown.target && !this.shown.unopened) {
      this.jump(this.shown);
    }
  }

  /** The cursor is at a place whose text the user has to write: the next Tab goes on to the one after it. */
  private async arrived({ item, message }: ShownEdit): Promise<void> {
    if (message !== undefined) {
      this.server.accept(item);
      await this.request();
    }
  }

  /** Open the other file or cell that contains the edit and show the edit there. */
  private async goToFile(shown: ShownEdit, target: vscode.TextDocument): Promise<void> {
    const { version } = target;
    const at = new vscode.Position(shown.start.line, shown.start.character);
    this.hide();
    this.switchingFile = true;
    try {
      const editor = await showAt(target, at);
      if (editor && target.version === version && shown.message === undefined) {
        this.show({ ...shown, editor, target: undefined, jumped: shown.start });
      }
    } finally {
      this.switchingFile = false;
    }
    await this.arrived(shown);
  }

  private async apply({ editor, hunks, item }: ShownEdit): Promise<void> {
    const lines = linesOf(editor.document);
    const lineEnd = editor.document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    const replacements = hunks.map((hunk) => replacementOf(hunk, lines, lineEnd));
    this.hide();
    this.applying = true;
    try {
      const applied = await editor.edit((builder) => {
        for (const { range, text } of replacements) {
          builder.replace(new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character), text);
        }
      });
      if (!applied) {
        return;
      }
      const { line, character } = endAfter(hunks);
      const end = editor.document.validatePosition(new vscode.Position(line, character));
      editor.selection = new vscode.Selection(end, end);
      this.afterLast.editApplied(editor);
      markDone('next');
      this.server.accept(item);
    } finally {
      this.applying = false;
    }
    await this.request();
  }

  private reject(): void {
    const { shown } = this;
    this.hide();
    if (shown) {
      this.server.notify('editahead/didReject', shown.item);
    }
  }
}
