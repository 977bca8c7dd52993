/** A next edit as it comes from the server and as it is shown. */
import type * as vscode from 'vscode';
import type { Offer } from '../client';
import type { Point, Span } from '../offered';
import type { Hunk, Lines } from './change';

/** The answer to `editahead/nextEdit`. */
export interface Answer {
  readonly edits: readonly (Offer & { text: string; range: Span; textDocument: { uri: string; version: number }; probability: number })[];
  readonly detail?: string;
}

export interface Shown {
  readonly editor: vscode.TextEditor;
  readonly item: Offer;
  readonly hunks: readonly Hunk[];
  readonly start: Point;
  readonly probability: number;
  /** The other document in which the edit stands, until the user goes there. */
  readonly target?: vscode.TextDocument | undefined;
  /** Where the last jump went. */
  jumped?: Point;
}

export function plain(position: vscode.Position): Point {
  return { line: position.line, character: position.character };
}

export function linesOf(document: vscode.TextDocument): Lines {
  return { count: document.lineCount, line: (row) => (row < document.lineCount ? document.lineAt(row).text : '') };
}
