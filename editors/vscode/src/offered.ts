/** What became of a piece of ghost text, told from the changes of its document. Columns are UTF-16 units. */

export interface Point {
  readonly line: number;
  readonly character: number;
}

export interface Span {
  readonly start: Point;
  readonly end: Point;
}

/** Ghost text that is on offer: `text` from `at` on, of which `taken` units were typed or taken before. */
export interface Offered {
  readonly id: string;
  readonly at: Point;
  readonly text: string;
  readonly taken: number;
}

/** One change of the document. */
export interface Change {
  readonly range: Span;
  readonly text: string;
}

/** How an offer goes on. `partly`: a piece of it was taken with a key for that, not typed letter by letter. */
export interface Next {
  readonly offered: Offered | undefined;
  readonly partly: boolean;
}

const GONE: Next = { offered: undefined, partly: false };

/** Where a text ends that begins at a point. */
export function endOf(start: Point, text: string): Point {
  const lines = text.split(/\r\n|\r|\n/);
  const last = lines[lines.length - 1] ?? '';
  return lines.length === 1
    ? { line: start.line, character: start.character + last.length }
    : { line: start.line + lines.length - 1, character: last.length };
}

/** The rest of the offer after a change, as long as the change is its beginning. */
export function after(offered: Offered, changes: readonly Change[]): Next {
  const [change] = changes;
  if (!change || changes.length > 1) {
    return GONE;
  }
  const { start, end } = change.range;
  const here = start.line === offered.at.line && start.character === offered.at.character;
  const inserted = end.line === start.line && end.character === start.character;
  if (!here || !inserted || !offered.text.startsWith(change.text) || change.text === offered.text) {
    return GONE;
  }
  const length = change.text.length;
  return {
    offered: { ...offered, at: endOf(start, change.text), text: offered.text.slice(length), taken: offered.taken + length },
    partly: length > 1,
  };
}
