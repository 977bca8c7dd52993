/** Follows the word that a list of completions was requested for, through the changes of its document. */
import type { Change, Point } from './ghostTextOffer';

const WORD = /^[\p{L}\p{M}\p{N}_$]+$/u;

/** Where the cursor is after changes that only go on with the word before `cursor`; undefined after any others. */
export function wordContinued(cursor: Point, changes: readonly Change[]): Point | undefined {
  let { line, character } = cursor;
  for (const { range, text } of changes) {
    const atCursor = [range.start, range.end].every((point) => point.line === line && point.character === character);
    if (!atCursor || !WORD.test(text)) {
      return undefined;
    }
    character += text.length;
  }
  return { line, character };
}
