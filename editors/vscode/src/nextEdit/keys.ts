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
