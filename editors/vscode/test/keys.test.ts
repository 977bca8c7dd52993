import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indents } from '../src/nextEdit/keys';

test('Tab indents in the blanks before the text, and on an empty line', () => {
  assert.ok(indents('    x = 1', { line: 3, character: 2 }, undefined));
  assert.ok(indents('    x = 1', { line: 3, character: 4 }, undefined));
  assert.ok(indents('', { line: 3, character: 0 }, undefined));
  assert.ok(!indents('    x = 1', { line: 3, character: 5 }, undefined));
});

test('where a jump went, Tab applies, also in the blanks', () => {
  assert.ok(!indents('    x = 1', { line: 3, character: 0 }, { line: 3, character: 0 }));
  assert.ok(indents('    x = 1', { line: 3, character: 1 }, { line: 3, character: 0 }));
});
