// Where the server comes from: a virtual environment of the workspace, or nowhere; never from a workspace that is not trusted.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { open, PYTHON, STATUS, until } from './vscode.mjs';

const FILES = { 'typed.py': 'alpha = 1\n' };
const NEEDED = ['sh', 'dirname', 'readlink', 'env', 'uname', 'cat'];
const UNTRUSTED = { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' };

/** A PATH with what starts the editor, and no Python; and no shell whose start files could add to it. */
function barePath(folder) {
  const bin = join(folder, '..', 'bin');
  mkdirSync(bin);
  for (const name of NEEDED) {
    const all = [...process.env.PATH.split(delimiter), '/usr/bin', '/bin'].map((each) => join(each, name));
    symlinkSync(all.find((path) => existsSync(path)), join(bin, name));
  }
  return { PATH: bin, SHELL: join(bin, 'no-shell') };
}

/** The same, and the environment of these tests as that of the workspace. */
function withEnvironment(folder) {
  symlinkSync(dirname(dirname(PYTHON)), join(folder, '.venv'));
  return barePath(folder);
}

async function opened(options, look) {
  const code = await open({ files: FILES, file: 'typed.py', command: null, ...options });
  try {
    await look(code);
  } finally {
    await code.stop();
  }
}

async function complaint(code) {
  await until('the state', async () => (await code.item(STATUS).innerText()).includes('no server'));
  const texts = await until('the message', async () => {
    const all = (await code.messages()).filter((text) => text.includes('editahead'));
    return all.length > 0 && all;
  });
  assert.equal(texts.length, 1);
  return texts[0];
}

test('the virtual environment of the workspace is found', async () => {
  await opened({ prepare: withEnvironment }, async (code) => {
    await code.ready();
    await code.tooltip(STATUS, 'from .venv of the workspace');
    const hint = await until('the hint of the first run', async () => (await code.messages()).find((text) => text.includes('Take the Tour')));
    assert.match(hint, /Tab accepts what is shown/);
    assert.ok(!(await code.messages()).some((text) => text.includes('no server')));
  });
});

test('a program of a workspace that is not trusted is not run: one message says that there is no server, a setting mends it', async () => {
  await opened({ prepare: withEnvironment, settings: UNTRUSTED }, async (code) => {
    const text = await complaint(code);
    assert.match(text, /no server was found \(searched the extension's environment and PATH; the workspace is not trusted\)/);
    assert.ok(text.includes('How to Install') && text.includes('Open Settings') && text.includes('Show Log'), text);
    code.configure({ 'editahead.server.python': PYTHON });
    await code.ready();
  });
});
