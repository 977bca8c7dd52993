// Beside another extension: its completions, and screen readers.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { FAKE, NEXT_EDIT, open, ROOT, until } from './vscode.mjs';

const OTHER = join(ROOT, 'tests', 'editors', 'vscode', 'stand_ins', 'other_provider');
const FILES = { 'names.py': 'quality = 1\nquantity = 2\nquarter = quantity\nqua\n', 'chain.py': 'one = old(1)\ntwo = 2\nthree = old(3)\n', 'ghost.py': 'two = 2 + 2\ntw\n' };

let code;
before(async () => {
  code = await open({ files: FILES, file: 'names.py', command: FAKE, others: [OTHER], settings: { 'editahead.precision': 0.5, 'editor.accessibilitySupport': 'on' } });
  await code.ready();
});
after(() => code?.stop());

/** The labels of the menu in its order, once it holds one. */
async function menu(label) {
  await code.press('Control+Space');
  const rows = code.page.locator('.suggest-widget.visible .monaco-list-row .label-name');
  const labels = await until(`a menu with ${label}`, async () => {
    const all = await rows.allInnerTexts();
    return all.includes(label) && all;
  });
  await code.press('Escape');
  await until('no menu', async () => !(await code.shows('.suggest-widget.visible')));
  return labels;
}

test('names of both extensions stand in the menu once, but for the likeliest, in front with a star', async () => {
  await code.goTo(4, 4);
  // On a busy machine the other extension may answer too late for the first list.
  const labels = await until('a star', async () => {
    const all = await menu('quarter');
    return all.some((label) => label.startsWith('★ ')) && all;
  });
  assert.equal(labels.length, new Set(labels).size, labels.join());
  const starred = labels.filter((label) => label.startsWith('★ '));
  assert.ok(starred.length > 0 && starred.length <= 5, labels.join());
  assert.deepEqual(labels.slice(0, starred.length), starred);
});

test('a screen reader is told of a next edit', async () => {
  await code.openFile('chain.py');
  await code.goTo(1, 7);
  await code.rewrite('new');
  const alert = code.item(NEXT_EDIT).locator('[role="alert"]');
  await alert.waitFor();
  const label = await alert.getAttribute('aria-label');
  assert.match(label, /next edit in line 3: three = old\(3\) becomes three = new\(3\)\. Tab jumps and applies, Escape rejects it/);
});

test('a screen reader is told of ghost text', async () => {
  await code.openFile('ghost.py');
  await code.goTo(2, 3);
  await code.type('o');
  await until('ghost text', async () => (await code.ghost()) === ' = 2 + 2');
  await until('the alert', async () => (await code.page.locator('.monaco-aria-container').allInnerTexts()).join().includes('= 2 + 2'));
});
