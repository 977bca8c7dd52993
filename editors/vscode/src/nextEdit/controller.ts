/** The next edit: asked for after a change, shown where it falls; one key jumps there and, there, applies it. */
import * as vscode from 'vscode';
import { SELECTOR, type Offer, type Server } from '../client';
import type { Ghost } from '../ghost';
import type { Point, Span } from '../offered';
import { hintWanted, nextEditDelay } from '../settings';
import { endOfAll, hunksOf, reach, replacementOf, startOf, type Hunk, type Lines } from './change';
import type { Decorations } from './decorations';
import { away, drawingOf } from './drawing';
import { indents } from './keys';

/** The answer to `editahead/nextEdit`. */
interface Answer {
  readonly edits: readonly (Offer & { text: string; range: Span; textDocument: { version: number }; probability: number })[];
}

interface Shown {
  readonly editor: vscode.TextEditor;
  readonly item: Offer;
  readonly hunks: readonly Hunk[];
  readonly start: Point;
  readonly probability: number;
  /** Where the last jump went. */
  jumped?: Point;
}

const SHOWN = 'editahead.nextEditShown';
const TAB = 'editahead.nextEditTab';

export class NextEdit implements vscode.Disposable {
  private shown: Shown | undefined;
  private timer: NodeJS.Timeout | undefined;
  private question: vscode.CancellationTokenSource | undefined;
  private applying = false;
  private readonly words = vscode.window.createStatusBarItem('editahead.nextEdit', vscode.StatusBarAlignment.Right, 101);
  private readonly listeners: vscode.Disposable;

  constructor(
    private readonly server: Server,
    private readonly ghost: Ghost,
    private readonly decorations: Decorations,
  ) {
    this.words.name = 'editahead: next edit';
    this.words.command = 'editahead.nextEdit.accept';
    this.listeners = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument((event) => this.changed(event)),
      vscode.window.onDidChangeActiveTextEditor(() => this.hide()),
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
    if (shown) {
      this.shown = undefined;
      this.decorations.clear(shown.editor);
      this.words.hide();
      void vscode.commands.executeCommand('setContext', SHOWN, false);
      void vscode.commands.executeCommand('setContext', TAB, false);
    }
  }

  /** Ask now, for the place of the cursor. */
  async ask(): Promise<void> {
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
    };
    const answer = await this.server.ask<Answer>('editahead/nextEdit', place, question.token);
    const item = answer?.edits[0];
    const fits = !question.token.isCancellationRequested && vscode.window.activeTextEditor === editor;
    if (item && fits && item.textDocument.version === document.version) {
      this.show(editor, item, hunksOf(linesOf(document), item.range, item.text), item.probability);
    }
  }

  private show(editor: vscode.TextEditor, item: Offer, hunks: readonly Hunk[], probability: number): void {
    const lines = linesOf(editor.document);
    const [first] = hunks;
    if (!first || (this.here(editor, hunks) && this.ghost.on(editor.document, editor.selection.active.line))) {
      return; // one suggestion at a place is enough
    }
    const start = startOf(first, lines);
    this.shown = { editor, item, hunks, start, probability };
    const size = typeof editor.options.tabSize === 'number' ? editor.options.tabSize : 4;
    const percent = Math.round(100 * probability);
    const words = `editahead: next edit (${percent} %). Tab jumps and applies, Escape turns it down.`;
    this.decorations.show(editor, drawingOf(hunks, lines, size), start.line, words);
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
    if (!shown || shown.editor !== editor) {
      return;
    }
    const { line } = shown.start;
    const ranges = editor.visibleRanges.map((range) => ({ first: range.start.line, last: range.end.line }));
    const far = away(line, ranges);
    this.decorations.say(editor, far && hintWanted() ? far : undefined);
    this.words.text = far ?? `next edit: line ${line + 1}`;
    this.words.tooltip = `Probability ${Math.round(100 * shown.probability)} %. Tab jumps and applies, Escape turns it down.`;
    this.words.show();
    void vscode.commands.executeCommand('setContext', TAB, !this.indents(shown));
  }

  private indents(shown: Shown): boolean {
    const { document, selection } = shown.editor;
    return indents(document.lineAt(selection.active.line).text, plain(selection.active), shown.jumped);
  }

  private changed(event: vscode.TextDocumentChangeEvent): void {
    const editor = vscode.window.activeTextEditor;
    if (event.contentChanges.length > 0 && event.document === editor?.document && !this.applying) {
      this.hide();
      this.timer = setTimeout(() => void this.ask(), nextEditDelay());
    }
  }

  /** Tab: ours, unless the cursor has reached the indentation since the last look. */
  private async tab(): Promise<void> {
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

function plain(position: vscode.Position): Point {
  return { line: position.line, character: position.character };
}

function linesOf(document: vscode.TextDocument): Lines {
  return { count: document.lineCount, line: (row) => (row < document.lineCount ? document.lineAt(row).text : '') };
}
