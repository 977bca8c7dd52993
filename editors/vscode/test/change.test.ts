import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endAfter, hunksOf, touchedRows, replacementOf, startOf, type TextLines } from '../src/nextEdit/change';
import type { Span } from '../src/ghostTextOffer';

function linesOf(text: string): TextLines {
  const all = text.split('\n');
  return { count: all.length, line: (row) => all[row] ?? '' };
}

function span(line: number, character: number, endLine: number, endCharacter: number): Span {
  return { start: { line, character }, end: { line: endLine, character: endCharacter } };
}

/** A text with replacements made, last first. */
function applied(text: string, range: Span, made: string): string {
  const lines = linesOf(text);
  const all = text.split('\n');
  const offset = (line: number, character: number): number =>
    all.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + character;
  return hunksOf(lines, range, made)
    .map((hunk) => replacementOf(hunk, lines, '\n'))
    .reverse()
    .reduce((now, { range: { start, end }, text: inline }) => {
      return now.slice(0, offset(start.line, start.character)) + inline + now.slice(offset(end.line, end.character));
    }, text);
}

test('a word that changes is a piece of its line', () => {
  const lines = linesOf('a = 1\n  return check(c)\n');
  const hunks = hunksOf(lines, span(1, 0, 2, 0), '  return verify(c)\n');
  assert.deepEqual(hunks, [
    { row: 1, oldLines: ['  return check(c)'], newLines: ['  return verify(c)'], inline: { first: 9, last: 14, insert: 'verify' } },
  ]);
  assert.deepEqual(startOf(hunks[0]!, lines), { line: 1, character: 9 });
  assert.deepEqual(endAfter(hunks), { line: 1, character: 15 });
});

test('lines that differ far apart are hunks of their own', () => {
  const lines = linesOf('old(1)\nkeep\nold(2)\n');
  const hunks = hunksOf(lines, span(0, 0, 3, 0), 'new(1)\nkeep\nnew(2)\n');
  assert.deepEqual(hunks.map((hunk) => hunk.row), [0, 2]);
  assert.deepEqual(touchedRows(hunks, lines), [0, 2]);
  assert.equal(applied('old(1)\nkeep\nold(2)\n', span(0, 0, 3, 0), 'new(1)\nkeep\nnew(2)\n'), 'new(1)\nkeep\nnew(2)\n');
});

test('an edit that changes nothing has no hunks', () => {
  assert.deepEqual(hunksOf(linesOf('a\nb\n'), span(0, 0, 1, 0), 'a\n'), []);
});

test('a range behind the end of the text is taken as its end', () => {
  const hunks = hunksOf(linesOf('a\nb'), span(1, 0, 9, 9), 'bee');
  assert.deepEqual([hunks[0]?.oldLines, hunks[0]?.newLines], [['b'], ['bee']]);
});

test('inserted lines go before their row, and the jump to the line above', () => {
  const lines = linesOf('one\ntwo');
  const hunks = hunksOf(lines, span(1, 0, 1, 0), 'new\n');
  assert.deepEqual(hunks, [{ row: 1, oldLines: [], newLines: ['new'] }]);
  assert.deepEqual(startOf(hunks[0]!, lines), { line: 0, character: 0 });
});

// Before, range, new text: the text that comes of it is what the edit says, whatever its hunks are.
const EDITS: [text: string, range: Span, made: string][] = [
  ['one\ntwo\n', span(1, 0, 1, 0), 'x\ny\n'],
  ['one\ntwo', span(1, 3, 1, 3), '\nthree'],
  ['one\ntwo', span(1, 0, 1, 3), ''],
  ['one\ntwo\nthree', span(1, 0, 2, 0), ''],
  ['one\ntwo\nthree', span(1, 3, 2, 5), ''],
  ['one', span(0, 0, 0, 3), ''],
  ['', span(0, 0, 0, 0), 'new\n'],
  ['a = 1\nb = 2\nc = 3\n', span(0, 0, 3, 0), 'b = 2\nc = 4\nd = 5\n'],
  ['x 😀 y\n', span(0, 0, 1, 0), 'x 😁 y\n'],
];

for (const [text, range, made] of EDITS) {
  test(`hunks make the edit: ${JSON.stringify(text)} -> ${JSON.stringify(made)}`, () => {
    const all = text.split('\n');
    const head = [...all.slice(0, range.start.line), all[range.start.line]!.slice(0, range.start.character)].join('\n');
    const tail = [all[range.end.line]!.slice(range.end.character), ...all.slice(range.end.line + 1)].join('\n');
    assert.equal(applied(text, range, made), head + made + tail);
  });
}

test('random edits of lines are made exactly', () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  const text = (): string[] => Array.from({ length: random(7) }, () => ['a = 1', 'b', '', '  c(d)', 'e 😀'][random(5)]!);
  for (let round = 0; round < 500; round += 1) {
    const [old, made] = [text(), text()];
    const before = [...old, ''].join('\n');
    const becomes = made.map((line) => `${line}\n`).join('');
    assert.equal(applied(before, span(0, 0, old.length, 0), becomes), becomes, JSON.stringify([old, made]));
  }
});
