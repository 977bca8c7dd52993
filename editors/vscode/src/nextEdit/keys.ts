/** Rules for keys and hints of next edits that `when` clauses cannot express. */
import type { Point } from '../ghostTextOffer';
import type { Hunk } from './change';

/** Whether Tab indents as usual: the cursor is in the line's leading whitespace.
 *
 * `jumped` is the target of the last jump; there, Tab applies the edit even in leading whitespace.
 */
export function tabIndents(line: string, cursor: Point, jumped: Point | undefined): boolean {
  const there = jumped?.line === cursor.line && jumped.character === cursor.character;
  return !there && line.slice(0, cursor.character).trim() === '';
}

/** How many places are left, from the server's reason for no suggestion: `1 more, less sure`, `2 calls of f lack x`. */
export function remainingPlaces(detail: string | undefined): string | undefined {
  return /^\d+ [a-z].*/.exec(detail ?? '')?.[0];
}

/** Hint for a place with a reason, from the line of the cursor. */
export function placeHint(row: number, cursor: number, reason: string): string {
  return `${row > cursor ? '↓' : '↑'} line ${row + 1}: ${reason}`;
}

/** Hint for an edit in another cell of the same notebook, or for a place there with a reason; cells are counted from 0. */
export function otherCellHint(cell: number, row: number, reason?: string): string {
  const place = `cell ${cell + 1}, line ${row + 1}`;
  return reason ? `→ ${place}: ${reason}` : `→ next edit: ${place}`;
}

/** Hint for an edit in another file, or for a place there with a reason; names its folder if both files have the same name. */
export function otherFileHint(target: string, here: string, row: number, reason?: string): string {
  const parts = (path: string): string[] => path.split('/').filter((part) => part !== '');
  const [theirs, ours] = [parts(target), parts(here)];
  const name = theirs[theirs.length - 1] ?? target;
  const same = name === ours[ours.length - 1] && theirs.length > 1;
  const place = `${same ? theirs.slice(-2).join('/') : name}:${row + 1}`;
  return reason ? `→ ${place}: ${reason}` : `→ next edit: ${place}`;
}

/** What a screen reader says of a next edit in a line, or of a place with a reason. */
export function announcement(hunks: readonly Hunk[], row: number, reason: string | undefined): string {
  const [first] = hunks;
  const text = (lines: readonly string[] = []): string => lines.map((each) => each.trim()).filter((each) => each !== '').join(' ');
  if (!first) {
    return `editahead: line ${row + 1}: ${reason ?? 'next edit'}`;
  }
  const [old, made] = [text(first.oldLines), text(first.newLines)];
  const change = old && made ? `${old} becomes ${made}` : made ? `new: ${made}` : `without ${old}`;
  return `editahead: next edit in line ${row + 1}: ${change}`;
}
