/** An edit of the server as hunks of lines, each as small as it can be drawn and applied. Lines and columns from 0. */
import type { Point, Span } from '../offered';
import { blocks } from './diff';
import { pieceOf, type Piece } from './words';

/** Lines from `row` on that change; `piece` when one line becomes one line by one change inside it. */
export interface Hunk {
  readonly row: number;
  readonly old: readonly string[];
  readonly made: readonly string[];
  readonly piece?: Piece;
}

/** The text that an edit is for. */
export interface Lines {
  readonly count: number;
  line(row: number): string;
}

/** A replacement; `text` has the line ends of the document. */
export interface Replacement {
  readonly range: Span;
  readonly text: string;
}

const LINE_END = /\r\n|\r|\n/;

function clamped(lines: Lines, point: Point): Point {
  const row = Math.max(0, Math.min(point.line, lines.count - 1));
  const length = lines.line(row).length;
  return { line: row, character: point.line > row ? length : Math.min(point.character, length) };
}

/** What an edit changes, line by line; nothing when it changes nothing. */
export function hunksOf(lines: Lines, range: Span, text: string): Hunk[] {
  const start = clamped(lines, range.start);
  const end = clamped(lines, range.end);
  const old: string[] = [];
  for (let row = start.line; row <= end.line; row += 1) {
    old.push(lines.line(row));
  }
  const whole = (old[0] ?? '').slice(0, start.character) + text + (old[old.length - 1] ?? '').slice(end.character);
  const made = whole.split(LINE_END);
  const hunks: Hunk[] = [];
  for (const block of blocks(old, made)) {
    const from = old.slice(block.oldAt, block.oldAt + block.oldCount);
    const to = made.slice(block.newAt, block.newAt + block.newCount);
    const row = start.line + block.oldAt;
    if (from.length !== to.length) {
      hunks.push({ row, old: from, made: to });
      continue;
    }
    from.forEach((line, i) => {
      const piece = pieceOf(line, to[i] ?? '');
      hunks.push({ row: row + i, old: [line], made: [to[i] ?? ''], ...(piece ? { piece } : {}) });
    });
  }
  return hunks;
}

/** Where the cursor goes when it jumps to a hunk. */
export function startOf(hunk: Hunk, lines: Lines): Point {
  if (hunk.piece) {
    return { line: hunk.row, character: hunk.piece.first };
  }
  const inserted = hunk.old.length === 0 && hunk.row > 0;
  return { line: Math.min(inserted ? hunk.row - 1 : hunk.row, lines.count - 1), character: 0 };
}

/** First and last line of the document that hunks touch: with the cursor there, one is where the edit is. */
export function reach(hunks: readonly Hunk[], lines: Lines): [first: number, last: number] {
  const first = hunks[0];
  const last = hunks[hunks.length - 1];
  if (!first || !last) {
    return [0, -1];
  }
  const start = startOf(first, lines).line;
  return [Math.min(first.row, start), Math.max(last.row + last.old.length - 1, startOf(last, lines).line)];
}

/** The smallest replacement that makes a hunk. */
export function replacementOf(hunk: Hunk, lines: Lines, lineEnd: string): Replacement {
  const { row, old, made, piece } = hunk;
  const at = (line: number, character: number): Point => ({ line, character });
  if (piece) {
    return { range: { start: at(row, piece.first), end: at(row, piece.last) }, text: piece.insert };
  }
  const text = made.join(lineEnd);
  const last = row + old.length - 1;
  if (old.length > 0 && made.length > 0) {
    return { range: { start: at(row, 0), end: at(last, lines.line(last).length) }, text };
  }
  if (old.length === 0) {
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

/** Where the last of the hunks ends once all are applied. */
export function endOfAll(hunks: readonly Hunk[]): Point {
  let shift = 0;
  let end: Point = { line: 0, character: 0 };
  for (const { row, old, made, piece } of hunks) {
    const line = row + shift + Math.max(made.length, 1) - 1;
    const whole = made[made.length - 1]?.length ?? 0;
    end = { line, character: piece ? piece.first + piece.insert.length : whole };
    shift += made.length - old.length;
  }
  return end;
}
