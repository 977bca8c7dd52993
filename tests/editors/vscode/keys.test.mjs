// Whose key is it? With an engine whose answers are known: the last replacement at the next such place, the rest of a line seen before.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { FAKE, NEXT_EDIT, open, ROOT, until } from './vscode.mjs';

const CHAIN = 'one = old(1)\ntwo = 2\nthree = old(3)\nfour = old(4)\n';
const FILES = {
  'chain.py': CHAIN,
  'indent.py': 'one = old(1)\n    two = 2\nthree = old(3)\n',
  'popup.py': 'one = old(1)\nnewest = 2\nthree = old(3)\n',
  'snippet.py': 'zloop\ntwo = 2\nthree = zloop\n',
  'ghost.py': 'one = old(1)\ntwo = 2 + 2\nthree = old(3)\ntw\n',
  'turned.py': 'alpha = 1 + 2\nal\n',
  'others.py': 'valley = 9\nvalue = 1 + 2\nva\n',
  'rejected.py': 'valley = 9\nvalue = 1 + 2\nva\n',
  'far.py': `one = old(1)\n${'x = 1\n'.repeat(80)}last = old(9)\n`,
  'searched.py': 'one = dusk(1)\ntwo = 2\n\nthree = dusk(3)\n',
  'problem.py': 'one = night(1)\ntwo = night(2)\n',
  'lines.py': 'a = 1\nb = 2\n',
  'caller.py': 'one = near(1)\n',
  'callee.py': 'x = 2\nuse(near)\n',
  'place.py': 'one = solo\ntwo = 2 + 2\nthree = expected()\nfour = 4\ntw\n',
};
const SNIPPET = { loop: { prefix: 'zloop', body: 'for ${1:item} in ${2:rows}:' } };

const LINTER = join(ROOT, 'tests', 'editors', 'vscode', 'stand_ins', 'linter');

let code;
before(async () => {
  code = await open({ files: FILES, file: 'chain.py', command: FAKE, others: [LINTER], prepare: addSnippet, settings: { 'editahead.precision': 0.5 } });
  await code.ready();
});
after(() => code?.stop());

function addSnippet(folder) {
  const snippets = join(folder, '..', 'user', 'User', 'snippets');
  mkdirSync(snippets, { recursive: true });
  writeFileSync(join(snippets, 'python.json'), JSON.stringify(SNIPPET));
}

const shown = () => until('the next edit', async () => (await code.nextEdit()).gutter);
const gone = () => until('no next edit', async () => !(await code.nextEdit()).gutter);

/** Rename the first call: the next one is offered. */
async function renamed(file, word = 'new') {
  await code.openFile(file);
  await code.goTo(1, 7);
  await code.rewrite(word);
  await code.item(NEXT_EDIT).waitFor();
}

/** A line of the screen, counted from 1. */
async function line(number, text) {
  await until(`${JSON.stringify(text)} in line ${number}`, async () => (await code.lines())[number - 1] === text);
}

test('jump, apply, jump, apply; each can be undone alone', async () => {
  await renamed('chain.py');
  await shown();
  assert.deepEqual(await code.nextEdit(), { old: ['old'], made: ['new'], gutter: true });
  for (const [row, column, text] of [[3, 9, 'three = new(3)'], [4, 8, 'four = new(4)']]) {
    await shown();
    await code.press('Tab');
    await until('the jump', async () => (await code.cursor()) === `${row}:${column}`);
    await code.press('Tab');
    await line(row, text);
  }
  await gone();
  await until('what the next Tab would do', async () => (await code.nextEdit()).made.some((text) => text.includes('no more places')));
  await code.press('Tab'); // harmless, once
  await until('the words gone', async () => !(await code.nextEdit()).made.some((text) => text.includes('no more places')));
  assert.equal(await code.save(), CHAIN.replaceAll('old', 'new'));
  await code.press('Control+z');
  await line(4, 'four = old(4)');
  await line(3, 'three = new(3)');
});

test('in the indentation Tab indents, and with a selection too', async () => {
  await renamed('indent.py');
  await code.goTo(2, 1);
  await code.press('Tab');
  await line(2, '        two = 2');
  await code.press('Control+z');
  await line(2, '    two = 2');
  await code.goTo(1, 1);
  await code.rewrite('uno');
  await code.goTo(1, 7);
  await code.press('Shift+End');
  await code.press('Tab');
  assert.ok(!(await code.save()).includes('three = new'));
});

test('with the menu open Tab takes its item', async () => {
  await renamed('popup.py');
  await code.press('Control+Space');
  await until('the menu', () => code.shows('.suggest-widget.visible .monaco-list-row.focused'));
  await code.press('Tab');
  await line(1, 'one = newest(1)');
  assert.ok((await code.save()).endsWith('three = old(3)\n'));
});

test('in a snippet Tab goes to the next place, and afterwards it is ours', async () => {
  await code.openFile('snippet.py');
  await code.goTo(1, 6);
  await code.press('Control+Space');
  await code.page.locator('.suggest-widget.visible .monaco-list-row.focused', { hasText: 'loop' }).waitFor();
  await code.press('Tab');
  await line(1, 'for item in rows:');
  await shown();
  await code.press('Tab');
  await until('the second place of the snippet', async () => (await code.cursor()) === '1:17');
  await code.press('Escape', 'End');
  await until('the end of the line', async () => (await code.cursor()) === '1:18');
  await shown();
  await code.press('Tab');
  await until('the jump', async () => (await code.cursor()) === '3:9');
  await code.press('Tab');
  await line(3, 'three = for item in rows:');
});

test('after a jump to a search hit the next edit there is asked', async () => {
  await renamed('searched.py', 'dawn');
  await shown();
  await code.openFile('lines.py');
  await code.openFile('searched.py');
  await gone();
  await code.press('Control+f');
  await code.type('three');
  await code.press('Enter', 'Escape');
  await shown();
  await code.press('ArrowRight', 'Tab'); // with the hit selected, Tab would be that of the editor
  await line(4, 'three = dawn(3)');
});

test('after a jump to the next problem, also one line further down, the next edit there is asked', async () => {
  await renamed('problem.py', 'day');
  await code.openFile('lines.py');
  await code.openFile('problem.py');
  await code.goTo(1, 1);
  await gone();
  await code.press('F8');
  await until('the problem', async () => (await code.cursor()) === '2:7');
  await until('the next edit', async () => (await code.item(NEXT_EDIT).innerText()) === 'next edit: line 2');
  await code.press('Escape'); // closes the problem's window, and rejects nothing
  await until('the window closed', () => code.shows('.marker-widget').then((open) => !open));
  await shown();
  await code.press('Tab');
  await line(2, 'two = day(2)');
});

test('with ghost text on screen Tab takes it', async () => {
  await renamed('ghost.py');
  await code.goTo(4, 3);
  await code.command('Trigger Inline Suggestion');
  await until('ghost text', async () => (await code.ghost()) === 'o = 2 + 2');
  await code.press('Tab');
  await line(4, 'two = 2 + 2');
  assert.ok((await code.save()).includes('three = old(3)'));
});

test('the tour ticks ghost text and the next edit, once both were accepted', async () => {
  await code.ticked('server', 'ghost', 'next');
});

test('Alt+] shows alternatives, Tab takes the one that is shown', async () => {
  await code.openFile('others.py');
  await code.goTo(3, 3);
  await code.type('l');
  await until('ghost text', async () => (await code.ghost()) === 'ue = 1 + 2');
  await code.press('Alt+]');
  await until('the alternative', async () => (await code.ghost()) === 'ley = 9');
  await code.press('Alt+[');
  await until('the first again', async () => (await code.ghost()) === 'ue = 1 + 2');
  await code.press('Alt+]');
  await until('the alternative', async () => (await code.ghost()) === 'ley = 9');
  await code.press('Tab');
  await line(3, 'valley = 9');
});

test('what became of ghost text reaches the server', async () => {
  await code.openFile('turned.py');
  await code.goTo(2, 3);
  await code.type('p');
  await until('ghost text', async () => (await code.ghost()) === 'ha = 1 + 2');
  await code.press('Control+ArrowRight');
  await line(2, 'alpha = 1 + 2'); // a word taken, the rest still on offer
  await until('the rest', async () => (await code.ghost()).trim() === '= 1 + 2');
  await code.press('Escape');
  await until('no ghost text', async () => (await code.ghost()) === '');
  await code.command('Explain Here');
  const page = code.page.locator('.monaco-editor[data-uri^="editahead:"]');
  const tally = await until('the counts', async () => {
    const text = (await page.locator('.view-lines').innerText()).replaceAll('\u00a0', ' ');
    return /Ghost text +(\w[^\n]*)/.exec(text)?.[1];
  });
  for (const what of ['accepted 1', 'partly accepted 1', 'rejected 1']) assert.ok(tally.includes(what), tally);
});

test('Escape rejects the alternative that is shown', async () => {
  await code.openFile('rejected.py');
  await code.goTo(3, 3);
  await code.type('l');
  await until('ghost text', async () => (await code.ghost()) === 'ue = 1 + 2');
  await code.press('Alt+]');
  await until('the alternative', async () => (await code.ghost()) === 'ley = 9');
  await code.press('Escape');
  await until('no ghost text', async () => (await code.ghost()) === '');
  await code.press('Backspace');
  await code.type('l');
  await until('the one that was not rejected', async () => (await code.ghost()) === 'ue = 1 + 2');
});

test('an edit off screen is named, and the jump goes there', async () => {
  await renamed('far.py', 'newer'); // an edit that was undone counts as rejected in all files: `new` rests
  assert.match(await code.item(NEXT_EDIT).innerText(), /↓ next edit: line 82$/);
  await until('the hint', async () => (await code.nextEdit()).made.some((text) => text.includes('↓ next edit: line 82')));
  await code.press('Tab');
  await until('the jump', async () => (await code.cursor()) === '82:8');
  await code.press('Tab');
  await until('the edit', async () => (await code.lines()).includes('last = newer(9)'));
});

test('an edit of another open file is named: Tab goes there, Tab applies it', async () => {
  await code.openFile('callee.py');
  await renamed('caller.py', 'far');
  assert.equal(await code.item(NEXT_EDIT).innerText(), '→ next edit: callee.py:2');
  await code.press('Tab');
  await until('the other file', async () => (await code.page.title()).includes('callee.py'));
  code.file = 'callee.py';
  await until('the cursor at its place', async () => (await code.cursor()) === '2:5');
  await shown();
  assert.equal((await code.lines())[1], 'use(near)');
  await code.press('Tab');
  await line(2, 'use(far)');
  assert.equal(await code.save(), 'x = 2\nuse(far)\n');
  await code.openFile('caller.py');
  assert.equal(await code.save(), 'one = far(1)\n');
});

test('a place of the model comes after a rest, gives way to ghost text, and Tab goes there', async () => {
  await code.openFile('place.py');
  const hint = async () => (await code.nextEdit()).made.includes('↓ line 3: is near (84 %)');
  await code.goTo(1, 7);
  const begun = Date.now();
  await code.rewrite('alone');
  await until('the place', hint);
  assert.ok(Date.now() - begun >= 2000);
  assert.ok((await code.nextEdit()).gutter);
  assert.match(await code.item(NEXT_EDIT).innerText(), /line 3: is near \(84 %\)$/);
  await code.goTo(5, 3);
  await code.command('Trigger Inline Suggestion');
  await until('ghost text', async () => (await code.ghost()) === 'o = 2 + 2');
  await gone();
  await code.press('Escape');
  await code.goTo(1, 7);
  await code.rewrite('single');
  await until('the place', hint);
  await code.press('Tab');
  await until('the jump', async () => (await code.cursor()) === '3:9');
  assert.ok((await code.save()).includes('three = expected()'));
});

test('when nothing is shown, Tab is a Tab and Escape an Escape', async () => {
  await code.openFile('lines.py');
  await code.goTo(2, 6);
  await code.press('Tab');
  await line(2, 'b = 2   ');
  assert.equal(await code.save(), 'a = 1\nb = 2   \n');
});
