/** What is drawn for a next edit: marks on removed text, inserted text beside it, inserted lines in a panel to the right. */
import type { Point, Span } from '../ghostTextOffer';
import type { Hunk, TextLines } from './change';

export interface Drawing {
  /** Text that the edit removes. */
  readonly removed: readonly Span[];
  /** Inserted text, drawn after a position. */
  readonly inserted: readonly { readonly at: Point; readonly text: string }[];
  /** Inserted lines, each drawn `indent` columns after the end of a line of the document. */
  readonly panel: readonly { readonly row: number; readonly indent: number; readonly text: string }[];
}

const MAX_PANEL_LINES = 12; // lines of a panel
const GAP = 4; // columns between the text and a panel
const NBSP = '\u00a0'; // decorations collapse plain spaces

/** The text with tabs expanded to `size` columns and with spaces that decorations do not collapse. */
export function drawable(text: string, size: number): string {
  let shown = '';
  for (const character of text) {
    shown += character === '\t' ? NBSP.repeat(size - (shown.length % size)) : character === ' ' ? NBSP : character;
  }
  return shown;
}

/** Columns of a line on the screen; wide characters count as one. */
function width(line: string, size: number): number {
  return drawable(line, size).length;
}

function panelOf(hunk: Hunk, lines: TextLines, size: number): Drawing['panel'] {
  const long = hunk.newLines.length > MAX_PANEL_LINES;
  const texts = long ? [...hunk.newLines.slice(0, MAX_PANEL_LINES - 1), `… ${hunk.newLines.length - MAX_PANEL_LINES + 1} more lines`] : [...hunk.newLines];
  const wanted = hunk.oldLines.length === 0 && hunk.row > 0 ? hunk.row - 1 : hunk.row;
  const top = Math.max(0, Math.min(wanted, lines.count - texts.length));
  const rows = texts.map((_, i) => top + i).filter((row) => row < lines.count);
  const widest = Math.max(...rows.map((row) => width(lines.line(row), size)));
  const longest = Math.max(...texts.map((text) => width(text, size)));
  return rows.map((row, i) => ({
    row,
    indent: widest - width(lines.line(row), size) + GAP,
    text: drawable(texts[i] ?? '', size).padEnd(longest, NBSP),
  }));
}

/** Everything that is drawn; `size` is the width of a tab. */
export function drawingOf(hunks: readonly Hunk[], lines: TextLines, size: number): Drawing {
  const removed: Span[] = [];
  const inserted: { at: Point; text: string }[] = [];
  const panel: { row: number; indent: number; text: string }[] = [];
  for (const hunk of hunks) {
    const { row, inline } = hunk;
    if (inline) {
      removed.push({ start: { line: row, character: inline.first }, end: { line: row, character: inline.last } });
      if (inline.insert !== '') {
        inserted.push({ at: { line: row, character: inline.last }, text: drawable(inline.insert, size) });
      }
      continue;
    }
    hunk.oldLines.forEach((line, i) => {
      removed.push({ start: { line: row + i, character: line.length - line.trimStart().length }, end: { line: row + i, character: line.length } });
    });
    if (hunk.newLines.length > 0) {
      panel.push(...panelOf(hunk, lines, size));
    }
  }
  return { removed: removed.filter(({ start, end }) => end.character > start.character), inserted, panel };
}

/** Hint for an edit that is off screen. */
export function offScreenHint(row: number, visible: readonly { readonly first: number; readonly last: number }[]): string | undefined {
  const first = visible[0];
  if (!first || visible.some((range) => row >= range.first && row <= range.last)) {
    return undefined;
  }
  return `${row < first.first ? '↑' : '↓'} next edit: line ${row + 1}`;
}
