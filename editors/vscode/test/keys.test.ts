import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherCellHint, otherFileHint, remainingPlaces, tabIndents } from '../src/nextEdit/keys';

test('Tab indents in the blanks before the text, and on an empty line', () => {
  assert.ok(tabIndents('    x = 1', { line: 3, character: 2 }, undefined));
  assert.ok(tabIndents('    x = 1', { line: 3, character: 4 }, undefined));
  assert.ok(tabIndents('', { line: 3, character: 0 }, undefined));
  assert.ok(!tabIndents('    x = 1', { line: 3, character: 5 }, undefined));
});

test('where a jump went, Tab applies, also in the blanks', () => {
  assert.ok(!tabIndents('    x = 1', { line: 3, character: 0 }, { line: 3, character: 0 }));
  assert.ok(tabIndents('    x = 1', { line: 3, character: 1 }, { line: 3, character: 0 }));
});

test('an edit of another file is named by the file, and by its folder where that is needed', () => {
  assert.equal(otherFileHint('/w/b.py', '/w/a.py', 1), '→ next edit: b.py:2');
  assert.equal(otherFileHint('/w/x/__init__.py', '/w/y/__init__.py', 0), '→ next edit: x/__init__.py:1');
  assert.equal(otherFileHint('Untitled-1', 'Untitled-1', 0), '→ next edit: Untitled-1:1');
  assert.equal(otherCellHint(2, 0), '→ next edit: cell 3, line 1');
  assert.equal(otherCellHint(0, 4, '`f` takes `x`'), '→ cell 1, line 5: `f` takes `x`');
});

test('only what the queue still holds is told of a reason for silence', () => {
  assert.equal(remainingPlaces('1 more, less sure'), '1 more, less sure');
  assert.equal(remainingPlaces('2 calls of `f` lack `x`'), '2 calls of `f` lack `x`');
  assert.equal(remainingPlaces('61 % of at least 80 %'), undefined);
  assert.equal(remainingPlaces(undefined), undefined);
});
