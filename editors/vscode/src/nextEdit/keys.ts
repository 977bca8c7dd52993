/** When the keys of a next edit are ours, as far as the place of the cursor decides. The rest is said by `when` clauses. */
import type { Point } from '../offered';

/** Whether Tab indents here as always: the cursor stands in the blanks before the line's text.
 *
 * `jumped` is where the last jump went: there, Tab applies, also in the blanks.
 */
export function indents(line: string, cursor: Point, jumped: Point | undefined): boolean {
  const there = jumped?.line === cursor.line && jumped.character === cursor.character;
  return !there && line.slice(0, cursor.character).trim() === '';
}

/** What the queue still holds without being sure, as the server says it in the reason for silence. */
export function remaining(detail: string | undefined): string | undefined {
  return /^\d+ more.*/.exec(detail ?? '')?.[0];
}

/** Where an edit of another file stands, in a few words; the folder is named where both files have the same name. */
export function elsewhere(target: string, here: string, row: number): string {
  const parts = (path: string): string[] => path.split('/').filter((part) => part !== '');
  const [theirs, ours] = [parts(target), parts(here)];
  const name = theirs[theirs.length - 1] ?? target;
  const same = name === ours[ours.length - 1] && theirs.length > 1;
  return `→ next edit: ${same ? theirs.slice(-2).join('/') : name}:${row + 1}`;
}
