// A notebook: what is typed in one cell is carried to the others. With an engine whose answers are known, and no extension for Jupyter.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { FAKE, NEXT_EDIT, open, until } from './vscode.mjs';
import { ghostOf, linesOf, nextEditOf } from './screen.mjs';

const SOURCES = ['one = old(1)', '# Prose', '%matplotlib inline\nthree = old(3)', 'two = 2 + 2\nthr'];
const CELLS = SOURCES.map((source) => {
  const code = { cell_type: 'code', execution_count: null, outputs: [], metadata: {}, source: source.split(/(?<=\n)/) };
  return source.startsWith('# ') ? { cell_type: 'markdown', metadata: {}, source: [source] } : code;
});
const NOTEBOOK = { cells: CELLS, metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 2 };

let code;
before(async () => {
  const files = { 'first.py': 'x = 1\n', 'shop.ipynb': JSON.stringify(NOTEBOOK) };
  code = await open({ files, file: 'first.py', command: FAKE, settings: { 'editahead.precision': 0.5 } });
  await code.ready();
  await code.press('Control+p');
  const input = code.page.locator('.quick-input-widget input');
  await input.waitFor();
  await input.fill('shop.ipynb');
  await code.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'shop.ipynb' }).waitFor();
  await code.press('Enter');
  await editor(3).locator('.view-line').first().waitFor();
});
after(() => code?.stop());

/** The editor of a cell, counted from 0. */
const editor = (cell) => code.page.locator(`.notebookOverlay .monaco-list-row.code-cell-row[data-index="${cell}"] .monaco-editor[data-uri]`);
const line = (cell, number, text) =>
  until(`${text} in cell ${cell}`, async () => (await editor(cell).evaluate(linesOf))[number - 1] === text);

async function goToEnd(cell) {
  await editor(cell).locator('.view-lines').click();
  await until('the cursor', () => editor(cell).evaluate((each) => each.classList.contains('focused')));
  await code.press('Control+End');
}

test('a next edit in another cell is named: Tab goes there, Tab applies it, and magics stay', async () => {
  await goToEnd(0);
  await code.press('Home', ...Array(6).fill('ArrowRight'), ...Array(3).fill('Shift+ArrowRight'));
  await code.type('new');
  await line(0, 1, 'one = new(1)');
  await until('the way', async () => (await code.item(NEXT_EDIT).innerText()) === '→ next edit: cell 3, line 2');
  await code.press('Tab');
  await until('the edit', async () => (await editor(2).evaluate(nextEditOf)).made.includes('new'));
  await line(2, 2, 'three = old(3)');
  await code.press('Tab');
  await line(2, 2, 'three = new(3)');
});

test('ghost text comes from the cell above, and the file holds what was typed', async () => {
  await goToEnd(3);
  await code.type('e');
  await until('ghost text', async () => (await editor(3).evaluate(ghostOf)) === 'e = new(3)');
  await code.press('Tab');
  await line(3, 2, 'three = new(3)');
  await code.press('Control+s');
  await code.page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
  const saved = JSON.parse(readFileSync(join(code.folder, 'shop.ipynb'), 'utf8')).cells.map((cell) => [].concat(cell.source).join(''));
  assert.deepEqual(saved, ['one = new(1)', SOURCES[1], '%matplotlib inline\nthree = new(3)', 'two = 2 + 2\nthree = new(3)']);
});
