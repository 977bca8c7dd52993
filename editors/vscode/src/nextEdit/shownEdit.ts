/** A next edit as the server sends it and as it is shown. */
import type * as vscode from 'vscode';
import type { OfferedItem } from '../client';
import type { Point, Span } from '../ghostTextOffer';
import type { Hunk, TextLines } from './change';

/** The answer to `editahead/nextEdit`. */
export interface NextEditAnswer {
  readonly edits: readonly (OfferedItem & { text: string; range: Span; textDocument: { uri: string; version: number }; probability: number })[];
  readonly detail?: string;
}

export interface ShownEdit {
  readonly editor: vscode.TextEditor;
  readonly item: OfferedItem;
  readonly hunks: readonly Hunk[];
  readonly start: Point;
  readonly probability: number;
  /** The other document that contains the edit, until the user goes there. */
  readonly target?: vscode.TextDocument | undefined;
  /** Target of the last jump. */
  jumped?: Point;
}

export function toPoint(position: vscode.Position): Point {
  return { line: position.line, character: position.character };
}

export function linesOf(document: vscode.TextDocument): TextLines {
  return { count: document.lineCount, line: (row) => (row < document.lineCount ? document.lineAt(row).text : '') };
}
