/** Follows ghost text through the changes of its document. Columns are UTF-16 code units. */

export interface Point {
  readonly line: number;
  readonly character: number;
}

export interface Span {
  readonly start: Point;
  readonly end: Point;
}

/** Offered ghost text: `text` goes to `at`; `acceptedLength` code units before it were typed or accepted. */
export interface GhostTextOffer {
  readonly id: string;
  readonly at: Point;
  readonly text: string;
  readonly acceptedLength: number;
}

/** One change of the document. */
export interface Change {
  readonly range: Span;
  readonly text: string;
}

/** An offer after a change. `partiallyAccepted`: a part was accepted by a key, not typed letter by letter. */
export interface OfferUpdate {
  readonly offered: GhostTextOffer | undefined;
  readonly partiallyAccepted: boolean;
}

const NO_OFFER: OfferUpdate = { offered: undefined, partiallyAccepted: false };

/** The end of a text that begins at `start`. */
export function endOf(start: Point, text: string): Point {
  const lines = text.split(/\r\n|\r|\n/);
  const last = lines[lines.length - 1] ?? '';
  return lines.length === 1
    ? { line: start.line, character: start.character + last.length }
    : { line: start.line + lines.length - 1, character: last.length };
}

/** What remains of the offer if the change inserted its beginning. */
export function afterChanges(offered: GhostTextOffer, changes: readonly Change[]): OfferUpdate {
  const [change] = changes;
  if (!change || changes.length > 1) {
    return NO_OFFER;
  }
  const { start, end } = change.range;
  const here = start.line === offered.at.line && start.character === offered.at.character;
  const inserted = end.line === start.line && end.character === start.character;
  if (!here || !inserted || !offered.text.startsWith(change.text) || change.text === offered.text) {
    return NO_OFFER;
  }
  const length = change.text.length;
  return {
    offered: { ...offered, at: endOf(start, change.text), text: offered.text.slice(length), acceptedLength: offered.acceptedLength + length },
    partiallyAccepted: length > 1,
  };
}

/** What remains of alternative offers; none where the change inserted the beginning of none. */
export function remainingOffers(offers: readonly GhostTextOffer[], changes: readonly Change[]): { offers: GhostTextOffer[]; partiallyAccepted: boolean } {
  const updates = offers.map((offered) => afterChanges(offered, changes)).filter((update) => update.offered !== undefined);
  return {
    offers: updates.flatMap((update) => update.offered ?? []),
    partiallyAccepted: updates.some((update) => update.partiallyAccepted),
  };
}
