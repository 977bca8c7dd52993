/** What is drawn for a next edit: marks on old text, new text beside it, new lines in a panel at their right. */
import type { Point, Span } from '../offered';
import type { Hunk, Lines } from './change';

export interface Drawing {
  /** Old text that goes. */
  readonly old: readonly Span[];
  /** New text, drawn behind a place. */
  readonly made: readonly { readonly at: Point; readonly text: string }[];
  /** New lines, each drawn behind the end of a line of the document, `indent` columns to the right of it. */
  readonly panel: readonly { readonly row: number; readonly indent: number; readonly text: string }[];
}

const MOST = 12; // lines of a panel
const GAP = 4; // columns between the text and a panel
const BLANK = '\u00a0'; // plain blanks are folded where decorations are drawn

/** Blanks in place of tabs, `size` columns each at most; and none of them folded. */
export function drawable(text: string, size: number): string {
  let shown = '';
  for (const character of text) {
    shown += character === '\t' ? BLANK.repeat(size - (shown.length % size)) : character === ' ' ? BLANK : character;
  }
  return shown;
}

/** Columns that a line takes on the screen, wide characters counted as one. */
function width(line: string, size: number): number {
  return drawable(line, size).length;
}

function panelOf(hunk: Hunk, lines: Lines, size: number): Drawing['panel'] {
  const long = hunk.made.length > MOST;
  const texts = long ? [...hunk.made.slice(0, MOST - 1), `… ${hunk.made.length - MOST + 1} more lines`] : [...hunk.made];
  const wanted = hunk.old.length === 0 && hunk.row > 0 ? hunk.row - 1 : hunk.row;
  const top = Math.max(0, Math.min(wanted, lines.count - texts.length));
  const rows = texts.map((_, i) => top + i).filter((row) => row < lines.count);
  const widest = Math.max(...rows.map((row) => width(lines.line(row), size)));
  const longest = Math.max(...texts.map((text) => width(text, size)));
  return rows.map((row, i) => ({
    row,
    indent: widest - width(lines.line(row), size) + GAP,
    text: drawable(texts[i] ?? '', size).padEnd(longest, BLANK),
  }));
}

/** Everything that is drawn; `size` is the width of a tab. */
export function drawingOf(hunks: readonly Hunk[], lines: Lines, size: number): Drawing {
  const old: Span[] = [];
  const made: { at: Point; text: string }[] = [];
  const panel: { row: number; indent: number; text: string }[] = [];
  for (const hunk of hunks) {
    const { row, piece } = hunk;
    if (piece) {
      old.push({ start: { line: row, character: piece.first }, end: { line: row, character: piece.last } });
      if (piece.insert !== '') {
        made.push({ at: { line: row, character: piece.last }, text: drawable(piece.insert, size) });
      }
      continue;
    }
    hunk.old.forEach((line, i) => {
      old.push({ start: { line: row + i, character: line.length - line.trimStart().length }, end: { line: row + i, character: line.length } });
    });
    if (hunk.made.length > 0) {
      panel.push(...panelOf(hunk, lines, size));
    }
  }
  return { old: old.filter(({ start, end }) => end.character > start.character), made, panel };
}

/** Where an edit is that cannot be seen, in a few words. */
export function away(row: number, visible: readonly { readonly first: number; readonly last: number }[]): string | undefined {
  const first = visible[0];
  if (!first || visible.some((range) => row >= range.first && row <= range.last)) {
    return undefined;
  }
  return `${row < first.first ? '↑' : '↓'} next edit: line ${row + 1}`;
}
