import assert from 'node:assert/strict';
import { test } from 'node:test';
import { after, endOf, type Offered } from '../src/offered';

const OFFERED: Offered = { id: 'inline-1', at: { line: 2, character: 4 }, text: 'quantities[name]\n    pass', taken: 0 };

function typed(text: string, line = 2, character = 4, length = 0): Parameters<typeof after>[1] {
  return [{ range: { start: { line, character }, end: { line, character: character + length } }, text }];
}

test('a letter typed leaves the rest, and is no acceptance in part', () => {
  const { offered, partly } = after(OFFERED, typed('q'));
  assert.deepEqual(offered, { ...OFFERED, at: { line: 2, character: 5 }, text: 'uantities[name]\n    pass', taken: 1 });
  assert.equal(partly, false);
});

test('a word at once was taken with a key', () => {
  const { offered, partly } = after(OFFERED, typed('quantities'));
  assert.equal(partly, true);
  assert.equal(offered?.taken, 10);
  const line = after(offered!, typed('[name]\n    ', 2, 14));
  assert.deepEqual([line.offered?.at, line.offered?.text, line.offered?.taken], [{ line: 3, character: 4 }, 'pass', 21]);
});

test('anything else ends the offer', () => {
  assert.equal(after(OFFERED, typed('x')).offered, undefined);
  assert.equal(after(OFFERED, typed('q', 1, 4)).offered, undefined);
  assert.equal(after(OFFERED, typed('q', 2, 4, 1)).offered, undefined);
  assert.equal(after(OFFERED, typed(OFFERED.text)).offered, undefined);
  assert.equal(after(OFFERED, [...typed('q'), ...typed('q', 9, 0)]).offered, undefined);
  assert.equal(after(OFFERED, []).offered, undefined);
});

test('texts end where their last line ends', () => {
  assert.deepEqual(endOf({ line: 1, character: 5 }, 'ab'), { line: 1, character: 7 });
  assert.deepEqual(endOf({ line: 1, character: 5 }, 'a\r\nbcd'), { line: 2, character: 3 });
});
