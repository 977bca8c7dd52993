/** A next edit as the server sends it and as it is shown. */
import type * as vscode from 'vscode';
import type { OfferedItem } from '../client';
import type { Point, Span } from '../ghostTextOffer';
import type { Hunk, TextLines } from './change';

/** An edit, or with `jump` a place that asks for an edit whose text nobody knows. */
export interface NextEditItem extends OfferedItem {
  readonly text: string;
  readonly range: Span;
  /** The version is null where the file is not open. */
  readonly textDocument: { readonly uri: string; readonly version: number | null };
  readonly probability: number;
  readonly jump?: boolean;
  readonly message?: string;
  readonly source?: string;
}

/** The answer to `editahead/nextEdit`. */
export interface NextEditAnswer {
  readonly edits: readonly NextEditItem[];
  readonly detail?: string;
  /** Milliseconds without a key after which a place may be shown that a model expects. */
  readonly placeAfterMs?: number;
}

export interface ShownEdit {
  readonly editor: vscode.TextEditor;
  readonly item: OfferedItem;
  /** None for a place whose text the user has to write. */
  readonly hunks: readonly Hunk[];
  /** What such a place asks for. */
  readonly message?: string | undefined;
  /** A model expects an edit at the place: the message stands at the cursor's line. */
  readonly learned?: boolean;
  readonly start: Point;
  readonly probability: number;
  /** The other document that contains the edit, until the user goes there. */
  readonly target?: vscode.TextDocument | undefined;
  /** The file that contains the edit and is not open, until the user goes there. */
  readonly unopened?: vscode.Uri | undefined;
  /** Target of the last jump. */
  jumped?: Point;
}

export function toPoint(position: vscode.Position): Point {
  return { line: position.line, character: position.character };
}

export function linesOf(document: vscode.TextDocument): TextLines {
  return { count: document.lineCount, line: (row) => (row < document.lineCount ? document.lineAt(row).text : '') };
}
