// Beside VSCodeVim, where EDITAHEAD_CLIENTS names a folder with it (`Vim`, built): the keys of its modes, with an engine whose answers are known.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { FAKE, NEXT_EDIT, open, until } from './vscode.mjs';

const VIM = join(process.env.EDITAHEAD_CLIENTS ?? '', 'Vim');
const skip = process.env.EDITAHEAD_CLIENTS && existsSync(join(VIM, 'out', 'extension.js')) ? false : 'EDITAHEAD_CLIENTS has no Vim';
const FILES = {
  'ghost.py': 'value = 1 + 2\nother = 3\nvaX\nlast = 4\n',
  'edit.py': 'one = old(1)\ntwo = 2\nthree = old(3)\n',
  'reject.py': 'one = late(1)\ntwo = 2\nthree = late(3)\n',
};

let code;
before(async () => {
  if (skip) return;
  code = await open({ files: FILES, file: 'ghost.py', command: FAKE, others: [VIM], prepare: besideTheFiles, settings: { 'editahead.precision': 0.5, 'vim.useCtrlKeys': false } });
  await code.ready();
  await mode('block');
});
after(() => code?.stop());

/** Let the extension run beside the files: in a browser alone it would need another build. */
function besideTheFiles(folder) {
  const path = join(folder, '..', 'ext', 'Vim', 'package.json');
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), extensionKind: ['workspace'], browser: undefined }));
  return {};
}

/** The cursor is drawn as in normal mode (block) or in insert mode (line). */
const mode = (shape) => until(`a ${shape} cursor`, () => code.shows(`.monaco-editor.focused .cursors-layer.cursor-${shape}-style`));
const ghost = (text) => until(`ghost text ${JSON.stringify(text)}`, async () => (await code.ghost()) === text);

test('ghost text shows in insert mode; Escape once dismisses it and leaves the mode, and none comes in normal mode', { skip }, async () => {
  await code.type('2Gova');
  await mode('line');
  await ghost('lue = 1 + 2');
  await code.press('Escape');
  await mode('block');
  await ghost('');
  await code.type('hl');
  await code.goTo(4, 3);
  await code.type('x'); // an edit
  await until('the edit', async () => (await code.lines())[3] === 'va');
  await pause(1500); // longer than ghost text takes
  assert.equal(await code.ghost(), '');
});

test('Tab accepts ghost text in insert mode, and indents where there is none', { skip }, async () => {
  await code.type('A');
  await mode('line');
  await code.type(' ');
  await code.press('Backspace');
  await ghost('lue = 1 + 2');
  await code.press('Tab');
  await until('the text', async () => (await code.lines())[3] === 'value = 1 + 2');
  await code.press('Escape');
  await mode('block');
  await code.type('GO');
  await mode('line');
  await code.press('Tab');
  await code.type('x');
  await until('the indentation', async () => (await code.lines()).includes('    x'));
  await code.press('Escape');
  await mode('block');
});

test('in normal mode Tab jumps to the next edit and applies it, and Escape rejects it once', { skip }, async () => {
  await code.openFile('edit.py');
  await code.type('ggfocenew');
  await code.press('Escape');
  await mode('block');
  await until('the next edit', async () => (await code.nextEdit()).gutter);
  assert.match(await code.item(NEXT_EDIT).innerText(), /line 3$/);
  await code.press('Tab');
  await until('the jump', async () => (await code.cursor()) === '3:9');
  await mode('block');
  await code.press('Tab');
  await until('the edit applied', async () => (await code.lines())[2] === 'three = new(3)');
  await code.type('u');
  await until('it undone', async () => (await code.lines())[2] === 'three = old(3)');
  await code.openFile('reject.py');
  await code.type('ggflceearly');
  await code.press('Escape');
  await until('the next edit', async () => (await code.nextEdit()).gutter);
  await code.press('Escape');
  await until('it gone', async () => !(await code.nextEdit()).gutter);
  await mode('block');
  await code.type('ji');
  await mode('line');
  await code.press('Home', 'Tab');
  await until('the indentation', async () => (await code.lines())[1] === '    two = 2');
});
