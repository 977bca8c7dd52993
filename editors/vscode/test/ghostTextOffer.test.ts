import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterChanges, endOf, remainingOffers, type GhostTextOffer } from '../src/ghostTextOffer';

const OFFERED: GhostTextOffer = { id: 'inline-1', at: { line: 2, character: 4 }, text: 'quantities[name]\n    pass', acceptedLength: 0 };

function typed(text: string, line = 2, character = 4, length = 0): Parameters<typeof afterChanges>[1] {
  return [{ range: { start: { line, character }, end: { line, character: character + length } }, text }];
}

test('a letter typed leaves the rest, and is no acceptance in part', () => {
  const { offered, partiallyAccepted } = afterChanges(OFFERED, typed('q'));
  assert.deepEqual(offered, { ...OFFERED, at: { line: 2, character: 5 }, text: 'uantities[name]\n    pass', acceptedLength: 1 });
  assert.equal(partiallyAccepted, false);
});

test('a word at once was acceptedLength with a key', () => {
  const { offered, partiallyAccepted } = afterChanges(OFFERED, typed('quantities'));
  assert.equal(partiallyAccepted, true);
  assert.equal(offered?.acceptedLength, 10);
  const line = afterChanges(offered!, typed('[name]\n    ', 2, 14));
  assert.deepEqual([line.offered?.at, line.offered?.text, line.offered?.acceptedLength], [{ line: 3, character: 4 }, 'pass', 21]);
});

test('anything else ends the offer', () => {
  assert.equal(afterChanges(OFFERED, typed('x')).offered, undefined);
  assert.equal(afterChanges(OFFERED, typed('q', 1, 4)).offered, undefined);
  assert.equal(afterChanges(OFFERED, typed('q', 2, 4, 1)).offered, undefined);
  assert.equal(afterChanges(OFFERED, typed(OFFERED.text)).offered, undefined);
  assert.equal(afterChanges(OFFERED, [...typed('q'), ...typed('q', 9, 0)]).offered, undefined);
  assert.equal(afterChanges(OFFERED, []).offered, undefined);
});

test('texts end where their last line ends', () => {
  assert.deepEqual(endOf({ line: 1, character: 5 }, 'ab'), { line: 1, character: 7 });
  assert.deepEqual(endOf({ line: 1, character: 5 }, 'a\r\nbcd'), { line: 2, character: 3 });
});

test('of alternatives those remain that begin with what was inserted', () => {
  const other = { ...OFFERED, id: 'inline-2', text: 'quality' };
  const both = remainingOffers([OFFERED, other], typed('qua'));
  assert.deepEqual(both.offers.map((offered) => offered.text), ['ntities[name]\n    pass', 'lity']);
  const word = remainingOffers(both.offers, typed('lit', 2, 7));
  assert.deepEqual([word.offers.map((offered) => offered.id), word.partiallyAccepted], [['inline-2'], true]);
  assert.deepEqual(remainingOffers(word.offers, typed('x', 2, 10)).offers, []);
  assert.deepEqual(remainingOffers([OFFERED, other], typed('quality')).offers, []); // accepted as a whole
});
