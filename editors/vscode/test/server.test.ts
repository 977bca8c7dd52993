import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { candidates, OWN_ENVIRONMENT, type SearchContext } from '../src/server/candidates';
import { findServer, newEnough, outdated, output, versionOf } from '../src/server/probe';

const AROUND: SearchContext = { command: [], python: '', chosen: '', folders: ['/w'], own: '/own', home: '/home/me', windows: false };
const NODE = process.execPath;
const HERE = tmpdir();

function says(text: string, code = 0): string[] {
  return [NODE, '-e', `console.log(${JSON.stringify(text)}); process.exit(${code})`, '--'];
}

test('without settings: the workspace, the own environment, PATH', () => {
  assert.deepEqual(
    candidates(AROUND).map(({ command }) => command.join(' ')),
    [
      '/w/.venv/bin/python -m editahead',
      '/w/venv/bin/python -m editahead',
      '/own/bin/python -m editahead',
      'editahead',
      'python3 -m editahead',
      'python -m editahead',
    ],
  );
});

test('the interpreter of the Python extension goes before all that is looked for', () => {
  const [first, second] = candidates({ ...AROUND, chosen: '/conda/bin/python' });
  assert.deepEqual(first?.command, ['/conda/bin/python', '-m', 'editahead']);
  assert.deepEqual(second?.command, ['/w/.venv/bin/python', '-m', 'editahead']);
});

test('a workspace that is not trusted has no say', () => {
  assert.ok(candidates({ ...AROUND, folders: [] }).every(({ command }) => !command[0]?.startsWith('/w')));
});

test('a setting is a wish: nothing else is tried', () => {
  const command = ['~/bin/editahead', '--log-level', 'debug'];
  assert.deepEqual(candidates({ ...AROUND, command, python: '/p' }).map((each) => each.command), [
    ['/home/me/bin/editahead', '--log-level', 'debug'],
  ]);
  assert.deepEqual(candidates({ ...AROUND, python: '${workspaceFolder}/.venv/bin/python' }).map((each) => each.command), [
    ['/w/.venv/bin/python', '-m', 'editahead'],
  ]);
});

test('on Windows environments look different', () => {
  const [first] = candidates({ ...AROUND, folders: ['C:\\w'], windows: true });
  assert.equal(first?.command[0], 'C:\\w\\.venv\\Scripts\\python.exe');
});

test('the version is what the program says', async () => {
  assert.equal(await versionOf(says('editahead 1.2.3'), HERE), '1.2.3');
});

test('what is no server is named with the reason, in one line', async () => {
  await assert.rejects(versionOf(['/nowhere/python', '-m', 'editahead'], HERE), /^Error: \/nowhere\/python is not there$/);
  await assert.rejects(versionOf(['no-such-program-here'], HERE), /^Error: no-such-program-here is not there$/);
  await assert.rejects(versionOf(says('something else'), HERE), /is not editahead: it says "something else"$/);
  await assert.rejects(versionOf([NODE, '-e', 'console.error("first\\nlast"); process.exit(3)', '--'], HERE), /^Error: last$/);
});

test('the first that answers is taken; when none does, each says why', async () => {
  const missing = { command: ['/nowhere/editahead'], from: 'one' };
  const found = await findServer([missing, { command: says('editahead 0.1.0'), from: 'two' }], HERE);
  assert.ok(!Array.isArray(found));
  assert.deepEqual([found.from, found.version], ['two', '0.1.0']);
  assert.deepEqual(await findServer([missing], HERE), ['one: /nowhere/editahead is not there']);
});

test('a report may come with an exit code', async () => {
  assert.equal(await output(says('a problem', 3), HERE, true), 'a problem');
  await assert.rejects(output(says('a problem', 3), HERE));
});

test('an own environment is out of date when the extension holds another version', () => {
  const own = { command: ['/own/bin/python'], from: OWN_ENVIRONMENT, version: '0.1.0' };
  assert.ok(outdated(own, '/x/bundled/editahead-0.2.0-py3-none-any.whl'));
  assert.ok(!outdated(own, '/x/bundled/editahead-0.1.0-py3-none-any.whl'));
  assert.ok(!outdated({ ...own, from: 'PATH' }, '/x/bundled/editahead-0.2.0-py3-none-any.whl'));
  assert.ok(!outdated(own, undefined));
});

test('what is no Python is not new enough', async () => {
  assert.equal(await newEnough(['no-such-program-here'], HERE), false);
});
