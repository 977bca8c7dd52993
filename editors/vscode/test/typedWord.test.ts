import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordContinued } from '../src/typedWord';

const CURSOR = { line: 2, character: 4 };

function change(text: string, character = 4, length = 0, line = 2): Parameters<typeof wordContinued>[1][number] {
  return { range: { start: { line, character }, end: { line, character: character + length } }, text };
}

test('letters of the word move the cursor on', () => {
  assert.deepEqual(wordContinued(CURSOR, [change('q')]), { line: 2, character: 5 });
  assert.deepEqual(wordContinued(CURSOR, [change('q'), change('ü_1$', 5)]), { line: 2, character: 9 });
});

for (const text of [' ', '.', '(', '{', ':', ';', ',', '=', '\n', '\r\n    ', 'a b', 'a,', '']) {
  test(`${JSON.stringify(text)} leaves the word`, () => {
    assert.equal(wordContinued(CURSOR, [change(text)]), undefined);
    assert.equal(wordContinued(CURSOR, [change('q'), change(text, 5)]), undefined);
  });
}

test('a change elsewhere, or of what was there, leaves the word', () => {
  assert.equal(wordContinued(CURSOR, [change('q', 3)]), undefined);
  assert.equal(wordContinued(CURSOR, [change('q', 5)]), undefined);
  assert.equal(wordContinued(CURSOR, [change('q', 4, 0, 1)]), undefined);
  assert.equal(wordContinued(CURSOR, [change('', 3, 1)]), undefined);
  assert.equal(wordContinued(CURSOR, [change('alpha', 0, 4)]), undefined);
});
