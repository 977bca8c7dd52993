// Typing while other programs have the processor: what is saved is what was typed, whatever was offered when an Enter came.
// EDITAHEAD_TYPED_LINES lines of each language; keys are pressed at their times, whether or not the editor keeps up.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { open } from './vscode.mjs';

const LANGUAGES = JSON.parse(readFileSync(new URL('../typed_lines.json', import.meta.url), 'utf8'));
const LINES = Number(process.env.EDITAHEAD_TYPED_LINES ?? 13);
const PACES = [20, 30, 45, 60]; // milliseconds from key to key, one for each line
const SLOW_PACES = [150, 300, 600, 1200]; // where no list has come: one line more each, until one comes
const BUSY = 2; // processes that compute
// The editor's own lists and nothing that writes by itself: every difference is an item that was accepted.
const SETTINGS = {
  'editor.autoIndent': 'none',
  'editor.autoClosingQuotes': 'never',
  'editor.formatOnType': false,
  'editor.quickSuggestions': { other: 'on', comments: 'off', strings: 'off' },
  'editor.suggestOnTriggerCharacters': true,
  'editor.wordBasedSuggestions': 'off',
  'javascript.suggest.enabled': false,
  'typescript.suggest.enabled': false,
};

/** A line to type: the pattern again and again, each time with another number. */
function lineOf({ lines }, at) {
  return lines[at % lines.length].replace('{n}', String(Math.floor(at / lines.length)));
}

async function typeLine(line, pace) {
  const pressed = [];
  for (const key of [...line, 'Enter']) {
    pressed.push(code.page.keyboard.press(key === ' ' ? 'Space' : key));
    await pause(pace);
  }
  await Promise.all(pressed);
}

/** The lines of `typed` that are missing in `saved`, of the fewest that can be. */
function missing(typed, saved) {
  const lengths = Array.from({ length: typed.length + 1 }, () => new Array(saved.length + 1).fill(0));
  for (let i = typed.length - 1; i >= 0; i--) {
    for (let j = saved.length - 1; j >= 0; j--) {
      lengths[i][j] = typed[i] === saved[j] ? 1 + lengths[i + 1][j + 1] : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const lost = [];
  for (let i = 0, j = 0; i < typed.length; ) {
    if (typed[i] === saved[j]) [i, j] = [i + 1, j + 1];
    else if (j < saved.length && lengths[i][j + 1] >= lengths[i + 1][j]) j++;
    else lost.push(typed[i++]);
  }
  return lost;
}

/** Runs in the page: count the lists of completions that are shown. */
function countLists() {
  globalThis.listsShown = 0;
  const isRow = (node) => node.classList?.contains('monaco-list-row') && node.closest('.suggest-widget');
  const count = (records) => {
    globalThis.listsShown += records.some(({ addedNodes }) => [...addedNodes].some(isRow)) ? 1 : 0;
  };
  new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
}

const listsShown = () => code.page.evaluate(() => globalThis.listsShown);

let code;
let busy = [];
before(async () => {
  const files = Object.fromEntries(Object.values(LANGUAGES).map(({ file, head }) => [file, `${head.join('\n')}\n`]));
  code = await open({ files, file: LANGUAGES.go.file, settings: SETTINGS });
  await code.ready();
  await code.page.evaluate(countLists);
  busy = Array.from({ length: BUSY }, () => spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' }));
  process.once('exit', () => busy.forEach((child) => child.kill('SIGKILL')));
});
after(async () => {
  busy.forEach((child) => child.kill('SIGKILL'));
  await code?.stop();
});

test('what is typed under load is what is saved', async (all) => {
  for (const [language, { file, head, ...pattern }] of Object.entries(LANGUAGES)) {
    await all.test(language, async (t) => {
      if (file !== code.file) await code.openFile(file);
      await code.goTo(head.length + 1, 1);
      const typed = [];
      const before = await listsShown();
      for (let slower = 0; typed.length < LINES || slower < SLOW_PACES.length; ) {
        const isExtra = typed.length >= LINES;
        if (isExtra && (await listsShown()) > before) break;
        const line = lineOf(pattern, typed.length);
        await typeLine(line, isExtra ? SLOW_PACES[slower++] : PACES[typed.length % PACES.length]);
        typed.push(line);
      }
      const expected = `${[...head, ...typed].join('\n')}\n`;
      const saved = await code.save();
      const lost = missing(typed, saved.split('\n').slice(head.length));
      const lists = (await listsShown()) - before;
      t.diagnostic(`${language}: ${typed.length} lines typed, ${lost.length} wrong; ${lists} lists were shown`);
      lost.forEach((line) => t.diagnostic(`lost: ${line}`));
      assert.equal(saved, expected);
      assert.ok(lists > 0, 'where nothing is shown nothing is proven');
    });
  }
});
