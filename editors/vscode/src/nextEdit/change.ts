/** Splits an edit into hunks, as small as they can be drawn and applied. Lines and columns count from 0. */
import type { Point, Span } from '../ghostTextOffer';
import { blocks } from './diff';
import { inlineChangeOf, type InlineChange } from './inlineChange';

/** Changed lines from `row` on; `inline` if one line becomes one line by a single change inside it. */
export interface Hunk {
  readonly row: number;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  readonly inline?: InlineChange;
}

/** The text that an edit is for. */
export interface TextLines {
  readonly count: number;
  line(row: number): string;
}

/** A replacement; `text` has the line ends of the document. */
export interface Replacement {
  readonly range: Span;
  readonly text: string;
}

const LINE_END = /\r\n|\r|\n/;

function clamped(lines: TextLines, point: Point): Point {
  const row = Math.max(0, Math.min(point.line, lines.count - 1));
  const length = lines.line(row).length;
  return { line: row, character: point.line > row ? length : Math.min(point.character, length) };
}

/** The hunks of an edit; none if it changes nothing. */
export function hunksOf(lines: TextLines, range: Span, text: string): Hunk[] {
  const start = clamped(lines, range.start);
  const end = clamped(lines, range.end);
  const oldLines: string[] = [];
  for (let row = start.line; row <= end.line; row += 1) {
    oldLines.push(lines.line(row));
  }
  const whole = (oldLines[0] ?? '').slice(0, start.character) + text + (oldLines[oldLines.length - 1] ?? '').slice(end.character);
  const newLines = whole.split(LINE_END);
  const hunks: Hunk[] = [];
  for (const block of blocks(oldLines, newLines)) {
    const from = oldLines.slice(block.oldAt, block.oldAt + block.oldCount);
    const to = newLines.slice(block.newAt, block.newAt + block.newCount);
    const row = start.line + block.oldAt;
    if (from.length !== to.length) {
      hunks.push({ row, oldLines: from, newLines: to });
      continue;
    }
    from.forEach((line, i) => {
      const inline = inlineChangeOf(line, to[i] ?? '');
      hunks.push({ row: row + i, oldLines: [line], newLines: [to[i] ?? ''], ...(inline ? { inline } : {}) });
    });
  }
  return hunks;
}

/** The position to which the cursor jumps for a hunk. */
export function startOf(hunk: Hunk, lines: TextLines): Point {
  if (hunk.inline) {
    return { line: hunk.row, character: hunk.inline.first };
  }
  const inserted = hunk.oldLines.length === 0 && hunk.row > 0;
  return { line: Math.min(inserted ? hunk.row - 1 : hunk.row, lines.count - 1), character: 0 };
}

/** First and last line that hunks touch; with the cursor in between, accepting applies them. */
export function touchedRows(hunks: readonly Hunk[], lines: TextLines): [first: number, last: number] {
  const first = hunks[0];
  const last = hunks[hunks.length - 1];
  if (!first || !last) {
    return [0, -1];
  }
  const start = startOf(first, lines).line;
  return [Math.min(first.row, start), Math.max(last.row + last.oldLines.length - 1, startOf(last, lines).line)];
}

/** The smallest replacement that applies a hunk. */
export function replacementOf(hunk: Hunk, lines: TextLines, lineEnd: string): Replacement {
  const { row, oldLines, newLines, inline } = hunk;
  const at = (line: number, character: number): Point => ({ line, character });
  if (inline) {
    return { range: { start: at(row, inline.first), end: at(row, inline.last) }, text: inline.insert };
  }
  const text = newLines.join(lineEnd);
  const last = row + oldLines.length - 1;
  if (oldLines.length > 0 && newLines.length > 0) {
    return { range: { start: at(row, 0), end: at(last, lines.line(last).length) }, text };
  }
  if (oldLines.length === 0) {
    if (row < lines.count) {
      return { range: { start: at(row, 0), end: at(row, 0) }, text: text + lineEnd };
    }
    const end = at(row - 1, lines.line(row - 1).length);
    return { range: { start: end, end }, text: lineEnd + text };
  }
  if (last + 1 < lines.count) {
    return { range: { start: at(row, 0), end: at(last + 1, 0) }, text: '' };
  }
  const start = row > 0 ? at(row - 1, lines.line(row - 1).length) : at(0, 0);
  return { range: { start, end: at(last, lines.line(last).length) }, text: '' };
}

/** The end of the last hunk after all are applied. */
export function endAfter(hunks: readonly Hunk[]): Point {
  let shift = 0;
  let end: Point = { line: 0, character: 0 };
  for (const { row, oldLines, newLines, inline } of hunks) {
    const line = row + shift + Math.max(newLines.length, 1) - 1;
    const whole = newLines[newLines.length - 1]?.length ?? 0;
    end = { line, character: inline ? inline.first + inline.insert.length : whole };
    shift += newLines.length - oldLines.length;
  }
  return end;
}
