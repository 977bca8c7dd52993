// Where the server comes from: a virtual environment of the workspace, or nowhere; never from a workspace that is not trusted.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** No server, and a Python on PATH that makes an environment once the file `go` is there, and fetches nothing. */
function withPython(folder) {
  const variables = barePath(folder);
  const own = join(folder, '..', 'own-python'); // that of the environment
  const program = (path, text) => writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  program(own, `case "$2" in pip) exit 0;; esac\nexec "${PYTHON}" "$@"`);
  const make = `while [ ! -e "${folder}/go" ]; do /bin/sleep 0.1; done; /bin/mkdir -p "$3/bin"; /bin/cp "${own}" "$3/bin/python"`;
  program(join(variables.PATH, 'python3'), `case "$1 $2" in "-c "*) echo True;; "-m venv") ${make};; *) exit 1;; esac`);
  return variables;
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

test('the server is installed: the status says so meanwhile, and the tour ticks it when it runs', async () => {
  await opened({ prepare: withPython }, async (code) => {
    await complaint(code);
    const extensions = join(code.scratch, 'ext');
    const bundled = join(extensions, readdirSync(extensions).find((name) => name.startsWith('editahead.')), 'bundled');
    mkdirSync(bundled);
    writeFileSync(join(bundled, 'editahead-0.0.0-py3-none-any.whl'), '');
    await code.command('Install the Server');
    await until('the state', async () => (await code.item(STATUS).innerText()).includes('installing'));
    await code.ticked();
    writeFileSync(join(code.folder, 'go'), '');
    await code.openFile('typed.py');
    await code.ready();
    await code.ticked('server');
  });
});
