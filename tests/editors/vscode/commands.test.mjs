// The palette's commands and the status bar item, with an engine whose answers are known.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { FAKE, NEXT_EDIT, open, STATUS, until } from './vscode.mjs';

const CALLS = 'one = old(1)\ntwo = old(2)\nthree = old(3)  # maybe\nfour = old(4)\n';
const FILES = { 'calls.py': CALLS, 'more.py': CALLS, 'typed.py': 'value = 1\n' };

let code;
before(async () => {
  code = await open({ files: FILES, file: 'calls.py', command: FAKE });
  await code.ready();
});
after(() => code?.stop());

const says = (text) => until(`the status ${text}`, async () => (await code.item(STATUS).innerText()).includes(text));
const toast = (text) => until(`a message with ${text}`, () => code.page.locator('.notification-toast', { hasText: text }).count());

async function page(title) {
  const text = code.page.locator(`.monaco-editor[data-uri^="editahead:/editahead ${title}"] .view-lines, .monaco-editor[data-uri^="editahead:/editahead%20${title}"] .view-lines`);
  await text.first().waitFor();
  return (await text.first().innerText()).replaceAll('\u00a0', ' ');
}

async function pick(label) {
  const row = code.page.locator('.quick-input-list .monaco-list-row', { hasText: label });
  await row.waitFor();
  await row.click();
}

test('without a repeated edit it says so', async () => {
  await code.command('Apply the Repeated Edit to All Places');
  await toast('no repeated edit has further places');
});

test('a repeated edit is made at all places that are sure, in one step', async () => {
  await code.goTo(1, 7);
  await code.rewrite('new');
  await code.item(NEXT_EDIT).waitFor();
  await code.command('Apply the Repeated Edit to All Places');
  await toast('applied the same change to 2 more places');
  assert.equal(await code.save(), CALLS.replaceAll('old', 'new').replace('new(3)', 'old(3)'));
  await code.press('Control+z');
  await until('one step undone', async () => (await code.lines())[3] === 'four = old(4)');
});

test('snoozed: nothing shows, until it is woken', async () => {
  await code.openFile('more.py');
  await code.item(STATUS).click();
  await pick('Snooze');
  await pick('10 minutes');
  await says('snoozed');
  await code.command('Snooze');
  await pick('Wake up now');
  await code.ready();
  await code.goTo(1, 7);
  await code.rewrite('new');
  await code.item(NEXT_EDIT).waitFor();
});

test('a language is switched off and on in the settings of the user', async () => {
  const settings = () => JSON.parse(readFileSync(join(code.user, 'User', 'settings.json'), 'utf8'));
  await code.command('Switch This Language On or Off');
  await says('off here');
  await until('the setting', () => settings()['editahead.languages']?.python === false);
  await code.command('Switch This Language On or Off');
  await code.ready();
  await until('the setting', () => settings()['editahead.languages']?.python === true);
});

test('why something shows, or nothing: the explanation stands beside the text', async () => {
  await code.openFile('typed.py');
  await code.command('Explain Here');
  const text = await page('Explanation');
  assert.match(text, /^typed\.py:1:1 \(python, models: fake\)/);
  assert.match(text, /open +language known +python/);
  assert.match(text, /Ghost text: nothing \(empty: nothing typed\)/);
});

test('the tour ticks what is done: a server runs, an edit was continued at all places, and the explanation was read', async () => {
  await code.ticked('server', 'next', 'why');
});

test('the doctor examines the server that runs', async () => {
  await code.command('Doctor');
  assert.match(await page('Doctor'), /everything works/);
});

test('a session is recorded to a new file, until it is stopped', async () => {
  await code.openFile('typed.py');
  await code.command('Record a Session');
  await pick('With its code');
  const name = code.page.locator('.quick-input-widget input').first();
  await until('a proposed name', async () => (await name.inputValue()).endsWith('session.jsonl'));
  const file = await name.inputValue();
  await code.page.keyboard.press('Enter');
  await code.item('editahead.editahead.editahead.recording').waitFor();
  await code.goTo(1, 1);
  await code.rewrite('recorded');
  await code.command('Stop Recording');
  await toast('events were recorded');
  const [head, ...events] = readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  assert.equal(head.format, 'editahead-session');
  assert.ok(events.some((event) => event.event === 'open' && event.path === 'typed.py'));
  assert.match(events.filter((event) => event.event === 'change').flatMap((event) => event.changes).map((change) => change.text).join(''), /recorded/);
});

test('the server is started anew, and answers as before', async () => {
  await code.openFile('typed.py');
  await code.command('Explain Here');
  await until('counts of what was offered', async () => (await page('Explanation')).includes('offered'));
  await code.command('Restart the Server');
  await code.ready();
  await until('counts that begin anew', async () => {
    await code.command('Explain Here'); // unanswered while the server starts
    return !(await page('Explanation')).includes('offered');
  });
  await code.goTo(1, 1);
  await code.rewrite('other');
  await code.openFile('calls.py');
  await code.goTo(2, 7);
  await code.rewrite('newer');
  await code.item(NEXT_EDIT).waitFor();
});
