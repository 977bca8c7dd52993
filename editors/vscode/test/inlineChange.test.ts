import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inlineChangeOf } from '../src/nextEdit/inlineChange';

function shown(old: string, made: string): [string, string] | undefined {
  const inline = inlineChangeOf(old, made);
  if (inline) {
    assert.equal(old.slice(0, inline.first) + inline.insert + old.slice(inline.last), made);
  }
  return inline && [old.slice(inline.first, inline.last), inline.insert];
}

test('whole words differ', () => {
  assert.deepEqual(shown('x = price_of(a)', 'x = price_for(a)'), ['price_of', 'price_for']);
  assert.deepEqual(shown('größe = 1', 'größte = 1'), ['', 't']);
});

test('an insertion stays as small as it is', () => {
  assert.deepEqual(shown('f(a)', 'f(a, b)'), ['', ', b']);
});

test('a character of two units is never cut', () => {
  assert.deepEqual(shown('say("😀") # x', 'say("😁") # x'), ['😀', '😁']);
});

test('lines with too little in common are no piece', () => {
  assert.equal(inlineChangeOf('return None', 'for each in rows: print(each)'), undefined);
  assert.equal(inlineChangeOf('    ', '    pass'), undefined);
});
