// What follows from one edit, with the shipped models and default settings: a rename through its uses, into another open
// file and one that is not open, an import, the calls that lack a new argument.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { NEXT_EDIT, open, until } from './vscode.mjs';

const SHAPES = 'def area(size):\n    return size * size\n\n\nprint(area(3))\n';
const REPORT = 'import shapes\n\n\ndef report(size):\n    return shapes.area(size)\n';
const USER = 'from shapes import area\n\nprint(area(1))\n';
const [CIRCLE, PLANE, CONE] = [SHAPES, USER, REPORT].map((text) => text.replaceAll('area', 'width').replaceAll('shapes', 'circle'));
const ROWS = 'import os\n\n\ndef read(path):\n    return os.fspath(path)\n\n\ndef write(rows):\n    pass\n';
const CALLS = 'def read(path):\n    return path\n\n\nread(1)\nprint(read(2))\n';

let code;
before(async () => {
  const files = { 'circle.py': CIRCLE, 'plane.py': PLANE, 'cone.py': CONE, 'shapes.py': SHAPES, 'report.py': REPORT, 'user.py': USER, 'rows.py': ROWS, 'calls.py': CALLS };
  code = await open({ files, file: 'user.py' });
  await code.ready();
});
after(() => code?.stop());

const line = (number, text) => until(`line ${number}: ${text}`, async () => (await code.lines())[number - 1] === text);

/** Jump to the next edit that is shown in this file, and apply it; a line then reads so. */
async function applyShown(number, text) {
  await until('the next edit', async () => (await code.nextEdit()).gutter);
  await code.press('Tab');
  await until('the jump', async () => (await code.cursor()).startsWith(`${number}:`));
  await code.press('Tab');
  await line(number, text);
}

test('a rename goes on in other files, and each step is undone alone', async () => {
  await code.openFile('shapes.py');
  await code.goTo(1, 5);
  await code.rewrite('surface');
  await applyShown(5, 'print(surface(3))');
  await until('the way there', async () => (await code.item(NEXT_EDIT).innerText()) === '→ next edit: user.py:1');
  assert.equal(await code.save(), SHAPES.replaceAll('area', 'surface'));
  await code.press('Tab');
  await until('the other file', async () => (await code.page.title()).includes('user.py'));
  code.file = 'user.py';
  await until('the next edit', async () => (await code.nextEdit()).gutter);
  await code.press('Tab');
  await line(1, 'from shapes import surface');
  await applyShown(3, 'print(surface(1))');
  assert.equal(await code.save(), USER.replaceAll('area', 'surface'));
  await until('the way to a file that is not open', async () => (await code.item(NEXT_EDIT).innerText()) === '→ next edit: report.py:5');
  await code.press('Tab');
  await until('that file', async () => (await code.page.title()).includes('report.py'));
  code.file = 'report.py';
  await until('its next edit', async () => (await code.nextEdit()).gutter && (await code.cursor()) === '5:19');
  await code.press('Tab');
  await line(5, '    return shapes.surface(size)');
  assert.equal(await code.save(), REPORT.replace('area', 'surface'));
  await code.openFile('user.py');
  await code.press('Control+z');
  await line(3, 'print(area(1))');
  assert.equal((await code.lines())[0], 'from shapes import surface');
});

test('an import is added for a name that was written, and undone in one step', async () => {
  await code.openFile('rows.py');
  await code.goTo(9, 5);
  await code.rewrite('return json.dumps(rows)');
  await code.press('Escape');
  await applyShown(1, 'import json');
  const done = ROWS.replace('pass', 'return json.dumps(rows)');
  assert.equal(await code.save(), done.replace('import os\n', 'import json\nimport os\n'));
  await code.press('Control+z');
  await line(1, 'import os');
  assert.equal(await code.save(), done);
});

test('calls that lack a new argument are led to, and what is missing is said', async () => {
  await code.openFile('calls.py');
  await code.goTo(1, 14);
  await code.type(', size');
  for (const [number, column, text] of [[5, 7, 'read(1, 7)'], [6, 13, 'print(read(2, 7))']]) {
    await until('the place', async () => (await code.item(NEXT_EDIT).innerText()).endsWith(`line ${number}`));
    const shown = await code.nextEdit();
    assert.deepEqual([shown.old, shown.made.map((said) => said.trim()), shown.gutter], [[], ['`read` takes `size`'], true]);
    await code.press('Tab');
    await until('the jump', async () => (await code.cursor()) === `${number}:${column}`);
    await code.type(', 7');
    await line(number, text);
  }
  assert.equal(await code.save(), CALLS.replace('path)', 'path, size)').replace('1)', '1, 7)').replace('2)', '2, 7)'));
});

// The last: its undone edit leaves places that would be offered to others.
test('a rename of all places is shown in a preview, and one undo takes it back from every file', async () => {
  await code.openFile('plane.py');
  await code.openFile('circle.py');
  await code.goTo(1, 5);
  await code.rewrite('span');
  await until('the next edit', async () => (await code.nextEdit()).gutter);
  const panel = code.page.locator('.bulk-edit-panel');
  await code.press('Control+.'); // the code action
  await code.page.locator('.action-widget .monaco-list-row', { hasText: 'Rename `width` to `span` in 4 more places in 3 files' }).click();
  await panel.locator('.monaco-list-row', { hasText: 'plane.py' }).waitFor();
  await panel.locator('.monaco-button', { hasText: 'Discard' }).click();
  await panel.waitFor({ state: 'hidden' });
  for (const [button, said] of [['Discard', 'nothing was applied'], ['Apply', 'renamed `width` to `span` in 4 more places in 3 files']]) {
    await code.command('Apply the Repeated Edit to All Places');
    await panel.locator('.monaco-list-row', { hasText: 'plane.py' }).waitFor();
    await panel.locator('.monaco-list-row', { hasText: 'cone.py' }).waitFor();
    await panel.locator('.monaco-button', { hasText: button }).click();
    await until(`${button}: ${said}`, async () => (await code.messages()).some((text) => text.includes(said)));
    await panel.waitFor({ state: 'hidden' });
    assert.equal(readFileSync(join(code.folder, 'cone.py'), 'utf8'), button === 'Apply' ? CONE.replaceAll('width', 'span') : CONE);
  }
  await line(5, 'print(span(3))');
  await until('the other open file', () => readFileSync(join(code.folder, 'plane.py'), 'utf8') === PLANE.replaceAll('width', 'span'));
  await code.focus();
  await code.press('Control+z');
  await line(5, 'print(width(3))');
  for (const [file, text] of [['plane.py', PLANE], ['cone.py', CONE]]) {
    await code.openFile(file);
    assert.deepEqual(await code.lines(), text.split('\n'), file);
  }
});
