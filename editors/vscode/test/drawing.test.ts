import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hunksOf, type TextLines } from '../src/nextEdit/change';
import { offScreenHint, drawable, drawingOf } from '../src/nextEdit/drawing';

function linesOf(text: string): TextLines {
  const all = text.split('\n');
  return { count: all.length, line: (row) => all[row] ?? '' };
}

function drawn(text: string, from: number, to: number, made: string): ReturnType<typeof drawingOf> {
  const lines = linesOf(text);
  const range = { start: { line: from, character: 0 }, end: { line: to, character: 0 } };
  return drawingOf(hunksOf(lines, range, made), lines, 4);
}

test('a piece: the old word is marked, the new one stands behind it', () => {
  const { removed, inserted, panel } = drawn('a = old(1)\n', 0, 1, 'a = new(1)\n');
  assert.deepEqual(removed, [{ start: { line: 0, character: 4 }, end: { line: 0, character: 7 } }]);
  assert.deepEqual(inserted, [{ at: { line: 0, character: 7 }, text: 'new' }]);
  assert.deepEqual(panel, []);
});

test('new lines stand in a column of their own, at the right of the longest line', () => {
  const { panel } = drawn('ab\nabcdef\nz\n', 1, 1, 'one\nfour\n');
  assert.deepEqual(panel.map(({ row, indent }) => [row, indent]), [[0, 8], [1, 4]]);
  assert.deepEqual(panel.map(({ text }) => text), ['one\u00a0', 'four']);
});

test('at the end of a file there is room for all of them', () => {
  const { panel } = drawn('a\nb\nc\n', 3, 3, 'x\ny\nz\n');
  assert.deepEqual(panel.map(({ row }) => row), [1, 2, 3]);
});

test('many lines are cut, and it is said how many', () => {
  const many = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('');
  const { panel } = drawn('\n'.repeat(40), 1, 1, many);
  assert.equal(panel.length, 12);
  assert.equal(panel.at(-1)?.text.trim(), '…\u00a019\u00a0more\u00a0lines');
});

test('lines that go are marked from their first letter on', () => {
  assert.deepEqual(drawn('  gone\nkept\n', 0, 1, '').removed, [{ start: { line: 0, character: 2 }, end: { line: 0, character: 6 } }]);
});

test('blanks are kept, tabs go to the next stop', () => {
  assert.equal(drawable('a\tb c', 4), 'a\u00a0\u00a0\u00a0b\u00a0c');
});

test('what cannot be seen is named with its direction', () => {
  const visible = [{ first: 10, last: 20 }, { first: 30, last: 40 }];
  assert.equal(offScreenHint(15, visible), undefined);
  assert.equal(offScreenHint(35, visible), undefined);
  assert.equal(offScreenHint(3, visible), '↑ next edit: line 4');
  assert.equal(offScreenHint(60, visible), '↓ next edit: line 61');
  assert.equal(offScreenHint(60, []), undefined);
});
