/** The next edit: asked for after a change, shown where it falls; one key jumps there and, there, applies it. */
import * as vscode from 'vscode';
import { SELECTOR, type Server } from '../client';
import type { Ghost } from '../ghost';
import { hintWanted, nextEditDelay } from '../settings';
import { Arrived } from './arrived';
import { endOfAll, hunksOf, reach, replacementOf, startOf, type Hunk } from './change';
import type { Decorations } from './decorations';
import { away, drawingOf } from './drawing';
import { elsewhere, indents, remaining } from './keys';
import { linesOf, plain, type Answer, type Shown } from './shown';

const SHOWN = 'editahead.nextEditShown';
const TAB = 'editahead.nextEditTab';
/** Milliseconds without a key after which what was typed is taken as finished. */
const REST = 400;

export class NextEdit implements vscode.Disposable {
  private shown: Shown | undefined;
  private timer: NodeJS.Timeout | undefined;
  private question: vscode.CancellationTokenSource | undefined;
  private applying = false;
  private going = false;
  private readonly arrived: Arrived;
  private readonly words = vscode.window.createStatusBarItem('editahead.nextEdit', vscode.StatusBarAlignment.Right, 101);
  private readonly listeners: vscode.Disposable;

  constructor(
    private readonly server: Server,
    private readonly ghost: Ghost,
    private readonly decorations: Decorations,
  ) {
    this.arrived = new Arrived(decorations);
    this.words.name = 'editahead: next edit';
    this.words.command = 'editahead.nextEdit.accept';
    this.listeners = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument((event) => this.changed(event)),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.left(editor)),
      vscode.window.onDidChangeTextEditorSelection((event) => this.look(event.textEditor)),
      vscode.window.onDidChangeTextEditorVisibleRanges((event) => this.look(event.textEditor)),
      vscode.commands.registerCommand('editahead.nextEdit.accept', () => this.accept()),
      vscode.commands.registerCommand('editahead.nextEdit.tab', () => this.tab()),
      vscode.commands.registerCommand('editahead.nextEdit.reject', () => this.reject()),
      server.onDidChange((state) => {
        if (state.kind !== 'running' || state.told?.kind !== 'Normal') {
          this.hide();
        }
      }),
    );
  }

  dispose(): void {
    this.hide();
    vscode.Disposable.from(this.listeners, this.words, this.decorations).dispose();
  }

  /** Nothing is shown or on its way any more. */
  hide(): void {
    clearTimeout(this.timer);
    this.question?.cancel();
    this.question = undefined;
    const { shown } = this;
    this.words.hide();
    if (shown) {
      this.shown = undefined;
      this.decorations.clear(shown.editor);
      void vscode.commands.executeCommand('setContext', SHOWN, false);
      void vscode.commands.executeCommand('setContext', TAB, false);
    }
  }

  /** Ask now, for the place of the cursor; `rested`: milliseconds without a key, after REST a name is taken as finished. */
  async ask(rested = REST): Promise<void> {
    this.hide();
    const editor = vscode.window.activeTextEditor;
    if (!editor || !vscode.languages.match(SELECTOR, editor.document)) {
      return;
    }
    const { document } = editor;
    const question = new vscode.CancellationTokenSource();
    this.question = question;
    const place = {
      textDocument: { uri: document.uri.toString(), version: document.version },
      position: plain(editor.selection.active),
      context: { idle: rested >= REST },
    };
    const answer = await this.server.ask<Answer>('editahead/nextEdit', place, question.token);
    const item = answer?.edits[0];
    if (!answer || question.token.isCancellationRequested || vscode.window.activeTextEditor !== editor) {
      return;
    }
    if (!item) {
      this.nothing(remaining(answer.detail));
      if (rested < REST) {
        this.timer = setTimeout(() => void this.ask(), REST - rested);
      }
      return;
    }
    const there = vscode.workspace.textDocuments.find((open) => open.uri.toString() === item.textDocument.uri);
    if (there && item.textDocument.version === there.version) {
      const hunks = hunksOf(linesOf(there), item.range, item.text);
      const [first] = hunks;
      if (first) {
        const target = there === document ? undefined : there;
        this.show({ editor, item, hunks, start: startOf(first, linesOf(there)), probability: item.probability, target });
      }
    }
  }

  /** Nothing follows: say what is left, where that is something; after an accepted edit the next Tab is harmless. */
  private nothing(left: string | undefined): void {
    this.arrived.hold(left ?? 'no more places');
    if (left) {
      this.words.text = left;
      this.words.tooltip = 'Places where your last edit may go on.';
      this.words.show();
    }
  }

  private show(shown: Shown): void {
    const { editor, item, hunks, start, probability, target } = shown;
    if (!target && this.here(editor, hunks) && this.ghost.on(editor.document, editor.selection.active.line)) {
      return; // one suggestion at a place is enough
    }
    this.arrived.leave();
    this.shown = shown;
    if (!target) {
      const size = typeof editor.options.tabSize === 'number' ? editor.options.tabSize : 4;
      const percent = Math.round(100 * probability);
      const words = `editahead: next edit (${percent} %). Tab jumps and applies, Escape rejects it.`;
      this.decorations.show(editor, drawingOf(hunks, linesOf(editor.document), size), start.line, words);
    }
    void vscode.commands.executeCommand('setContext', SHOWN, true);
    this.server.tell('textDocument/didShowInlineEdit', item);
    this.look(editor);
  }

  private here(editor: vscode.TextEditor, hunks: readonly Hunk[]): boolean {
    const [first, last] = reach(hunks, linesOf(editor.document));
    const row = editor.selection.active.line;
    return row >= first && row <= last;
  }

  /** The cursor or the view has moved: what the keys mean, and what is said about an edit out of sight. */
  private look(editor: vscode.TextEditor): void {
    const { shown } = this;
    this.arrived.look();
    if (!shown || shown.editor !== editor) {
      return;
    }
    const { line } = shown.start;
    const ranges = editor.visibleRanges.map((range) => ({ first: range.start.line, last: range.end.line }));
    const far = shown.target ? elsewhere(shown.target.uri.path, editor.document.uri.path, line) : away(line, ranges);
    this.decorations.say(editor, far && hintWanted() ? far : undefined);
    this.words.text = far ?? `next edit: line ${line + 1}`;
    this.words.tooltip = `Probability ${Math.round(100 * shown.probability)} %. Tab jumps and applies, Escape rejects it.`;
    this.words.show();
    void vscode.commands.executeCommand('setContext', TAB, !this.indents(shown));
  }

  private indents(shown: Shown): boolean {
    const { document, selection } = shown.editor;
    return indents(document.lineAt(selection.active.line).text, plain(selection.active), shown.jumped);
  }

  private left(editor: vscode.TextEditor | undefined): void {
    if (!this.going && (!editor || editor !== this.shown?.editor)) {
      this.arrived.leave();
      this.hide();
    }
  }

  private changed(event: vscode.TextDocumentChangeEvent): void {
    const editor = vscode.window.activeTextEditor;
    if (event.contentChanges.length > 0 && event.document === this.shown?.target) {
      this.hide(); // the place is another one now
    }
    if (event.contentChanges.length > 0 && event.document === editor?.document && !this.applying) {
      this.arrived.leave();
      this.hide();
      const delay = nextEditDelay();
      this.timer = setTimeout(() => void this.ask(delay), delay);
    }
  }

  /** Tab: ours, unless the cursor has reached the indentation since the last look. */
  private async tab(): Promise<void> {
    if (this.arrived.take()) {
      return;
    }
    if (!this.shown || this.indents(this.shown)) {
      await vscode.commands.executeCommand('tab');
    } else {
      await this.accept();
    }
  }

  /** Jump to what is shown, or apply it when the cursor is there; ask when nothing is shown. */
  private async accept(): Promise<void> {
    const { shown } = this;
    if (!shown) {
      await this.ask();
    } else if (shown.target) {
      await this.goOver(shown, shown.target);
    } else if (this.here(shown.editor, shown.hunks)) {
      await this.apply(shown);
    } else {
      shown.jumped = shown.start;
      const at = new vscode.Position(shown.start.line, shown.start.character);
      shown.editor.selection = new vscode.Selection(at, at);
      shown.editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      this.look(shown.editor);
    }
  }

  /** To the other file in which the edit stands: opened in front, and its edit shown there. */
  private async goOver(shown: Shown, target: vscode.TextDocument): Promise<void> {
    const { version } = target;
    const at = new vscode.Position(shown.start.line, shown.start.character);
    const seen = vscode.window.visibleTextEditors.find((editor) => editor.document === target);
    this.hide();
    this.going = true;
    try {
      const options = { selection: new vscode.Range(at, at), ...(seen?.viewColumn ? { viewColumn: seen.viewColumn } : {}) };
      const editor = await vscode.window.showTextDocument(target, options);
      if (target.version === version) {
        this.show({ ...shown, editor, target: undefined, jumped: shown.start });
      }
    } finally {
      this.going = false;
    }
  }

  private async apply({ editor, hunks, item }: Shown): Promise<void> {
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
      const { line, character } = endOfAll(hunks);
      const end = editor.document.validatePosition(new vscode.Position(line, character));
      editor.selection = new vscode.Selection(end, end);
      this.arrived.at(editor);
      this.server.accepted(item);
    } finally {
      this.applying = false;
    }
    await this.ask();
  }

  private reject(): void {
    const { shown } = this;
    this.hide();
    if (shown) {
      this.server.tell('editahead/didReject', shown.item);
    }
  }
}
