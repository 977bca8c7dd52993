import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explanationText } from '../src/explain';
import { gateWords } from '../src/gates';
import { languagesAfterToggle, serverSettings } from '../src/settingValues';
import { needsAttention, itemDetails, itemText, STOPPED, stateLabel, type ServerState, type ServerStatus } from '../src/statusText';

const FOUND = { command: ['editahead'], from: 'PATH', version: '0.1.0' };
const NORMAL: ServerStatus = { busy: false, kind: 'Normal', message: '' };

function running(status?: Partial<ServerStatus>): ServerState {
  return { kind: 'running', found: FOUND, status: status && { ...NORMAL, ...status } };
}

test('each state has its word', () => {
  const words: [ServerState, string, string][] = [
    [STOPPED, 'stopped', '$(circle-slash) editahead: stopped'],
    [{ kind: 'installing' }, 'installing', '$(loading~spin) editahead: installing'],
    [running(), 'starting', '$(loading~spin) editahead: starting'],
    [running({ busy: true }), 'loading', '$(loading~spin) editahead: loading'],
    [running({}), 'ready', '$(sparkle) editahead'],
    [running({ kind: 'Inactive', message: 'snoozed' }), 'snoozed', '$(circle-slash) editahead: snoozed'],
    [running({ kind: 'Error', message: 'no models: gone' }), 'no models: gone', '$(warning) editahead: no models'],
    [{ kind: 'missing' }, 'no server', '$(warning) editahead: no server'],
  ];
  for (const [state, said, text] of words) {
    assert.deepEqual([stateLabel(state), itemText(state, false)], [said, text]);
  }
  assert.equal(itemText(running({}), true), '$(circle-slash) editahead: off here');
  assert.equal(itemDetails(running({}), [], true)[0], 'State: this language is switched off');
  const damaged = running({ message: '1 damaged bundle left out' });
  assert.deepEqual([itemText(damaged, false), needsAttention(damaged)], ['$(warning) editahead: 1 damaged bundle left out', true]);
  assert.deepEqual([needsAttention(running({})), needsAttention({ kind: 'missing' })], [false, true]);
});

test('the details name the model, the project and the server', () => {
  const state = running({ index: { files: 12, names: 340, building: 0.25 } });
  assert.deepEqual(itemDetails(state, ['lm-python']), [
    'State: ready',
    'Model: lm-python',
    'Project: 340 names in 12 files, 25 % read',
    'Server: 0.1.0, from PATH',
  ]);
});

test('settings of the extension do not go to the server', () => {
  assert.deepEqual(serverSettings({ precision: 0.9, index: { enabled: true }, server: {}, editor: {}, trace: {} }), {
    precision: 0.9,
    index: { enabled: true },
  });
});

test('a language is switched over, whatever the star says', () => {
  assert.deepEqual(languagesAfterToggle({}, 'python'), { languages: { python: false }, enabled: false });
  assert.deepEqual(languagesAfterToggle({ '*': false }, 'java'), { languages: { '*': false, java: true }, enabled: true });
});

test('an explanation names every gate and what each surface would answer', () => {
  const text = explanationText('a.py:1:2', {
    languageId: 'python',
    models: ['lm-python'],
    gates: [
      { reason: 'disabled', passed: true, value: 'on' },
      { reason: 'comment-or-string', passed: false, value: 'in a comment' },
    ],
    surfaces: {
      completion: { shown: true, probability: 0.67, value: [{ label: 'alpha', probability: 0.67, source: 'pointer', line: 4 }] },
      inline: { shown: true, probability: 0.5, value: { insertText: 'pha', tokens: [{ text: 'alpha', probability: 0.5, source: 'open', line: 0, where: 'b.py' }] } },
      next_edit: { shown: false, reason: 'empty', detail: 'nothing was edited' },
    },
    sources: { next_edit: { rename: { offered: 2, shown: 2, accepted: 1 } } },
  }, { surfaces: { inline: { offered: 3, accepted: 1, quiet: { empty: 12 } }, completion: { quiet: { empty: 2 } } } });
  assert.match(text, /\nSince the server started\n {2}Ghost text {3}offered 3, accepted 1\n {4}from rename {5}shown 2, accepted 1, rejected 0\n$/);
  assert.match(text, /^a\.py:1:2 \(python, models: lm-python\)\n/);
  assert.match(text, /\n {2}open {4}switched on +on\n {2}CLOSED {2}comment-or-string +in a comment\n/);
  assert.match(text, /\nCompletions: 67 %\n {2}"alpha" +67 % {2}pointer, line 5\n/);
  assert.match(text, /\nGhost text: 50 %\n {2}"pha", made up of\n {2}"alpha" +50 % {2}open, line 1 of b\.py\n/);
  assert.match(text, /\nNext edit: nothing \(empty: nothing was edited\)\n/);
});

test('a gate that is open is not named by what would close it', () => {
  assert.deepEqual([gateWords('disabled', true), gateWords('disabled', false)], ['switched on', 'disabled']);
  assert.equal(gateWords('unheard-of', true), 'unheard-of');
});
