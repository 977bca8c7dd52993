/** Draws a next edit with decorations, since the stable API has nothing else for it. */
import * as vscode from 'vscode';
import type { Drawing } from './drawing';

const ADDED = new vscode.ThemeColor('diffEditor.insertedTextBackground');
const REMOVED = new vscode.ThemeColor('diffEditor.removedTextBackground');
const INK = new vscode.ThemeColor('editor.foreground');
const FAINT = new vscode.ThemeColor('editorCodeLens.foreground');
const MARK = new vscode.ThemeColor('editorOverviewRuler.infoForeground');

export class Decorations implements vscode.Disposable {
  private readonly removedText = vscode.window.createTextEditorDecorationType({
    backgroundColor: REMOVED,
    textDecoration: 'line-through',
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly insertedText = vscode.window.createTextEditorDecorationType({ rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed });
  private readonly hint = vscode.window.createTextEditorDecorationType({});
  private readonly gutter: vscode.TextEditorDecorationType;

  constructor(context: vscode.ExtensionContext) {
    this.gutter = vscode.window.createTextEditorDecorationType({
      gutterIconPath: vscode.Uri.joinPath(context.extensionUri, 'media', 'next-edit.svg'),
      gutterIconSize: '80%',
      overviewRulerColor: MARK,
      overviewRulerLane: vscode.OverviewRulerLane.Center,
    });
  }

  /** Show an edit; `row` gets the mark in the gutter, `hover` is the hover text of all of it. */
  show(editor: vscode.TextEditor, drawing: Drawing, row: number, hover: string): void {
    const hoverMessage = new vscode.MarkdownString(hover);
    editor.setDecorations(
      this.removedText,
      drawing.removed.map(({ start, end }) => ({
        range: new vscode.Range(start.line, start.character, end.line, end.character),
        hoverMessage,
      })),
    );
    const added = { color: INK, backgroundColor: ADDED };
    const inline = drawing.inserted.map(({ at, text }) => ({
      range: new vscode.Range(at.line, at.character, at.line, at.character),
      renderOptions: { after: { ...added, contentText: text } },
    }));
    const beside = drawing.panel.map((line) => {
      const end = editor.document.lineAt(line.row).range.end;
      const after = { ...added, contentText: line.text, margin: `0 0 0 ${line.indent}ch` };
      return { range: new vscode.Range(end, end), renderOptions: { after } };
    });
    editor.setDecorations(this.insertedText, [...inline, ...beside]);
    editor.setDecorations(this.gutter, [{ range: new vscode.Range(row, 0, row, 0) }]);
  }

  /** Show a place whose text the user has to write: the mark in the gutter, and after the line what it asks for, unless a hint says so. */
  showPlace(editor: vscode.TextEditor, row: number, message: string | undefined): void {
    const end = editor.document.lineAt(row).range.end;
    const after = { contentText: message ?? '', color: FAINT, margin: '0 0 0 3ch', fontStyle: 'italic' };
    editor.setDecorations(this.removedText, []);
    editor.setDecorations(this.insertedText, message ? [{ range: new vscode.Range(end, end), renderOptions: { after } }] : []);
    editor.setDecorations(this.gutter, [{ range: new vscode.Range(row, 0, row, 0) }]);
  }

  /** Show a hint after the cursor's line; undefined removes it. */
  showHint(editor: vscode.TextEditor, text: string | undefined): void {
    const end = editor.document.lineAt(editor.selection.active.line).range.end;
    const after = { contentText: text ?? '', color: FAINT, margin: '0 0 0 3ch', fontStyle: 'italic' };
    editor.setDecorations(this.hint, text ? [{ range: new vscode.Range(end, end), renderOptions: { after } }] : []);
  }

  clear(editor: vscode.TextEditor): void {
    for (const type of [this.removedText, this.insertedText, this.hint, this.gutter]) {
      editor.setDecorations(type, []);
    }
  }

  dispose(): void {
    vscode.Disposable.from(this.removedText, this.insertedText, this.hint, this.gutter).dispose();
  }
}
