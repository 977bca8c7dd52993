// Real VS Code in a headless browser: opened with the packaged extension, typed into, looked at. Waits for states, never for times.
import { spawn, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ghostOf, linesOf, nextEditOf, visible } from './screen.mjs';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const EXTENSION = join(ROOT, 'editors', 'vscode');
const { chromium } = createRequire(join(EXTENSION, 'package.json'))('playwright-core');

export const PYTHON = process.env.EDITAHEAD_PYTHON ?? join(ROOT, '.venv', 'bin', 'python');
const SERVER = process.env.EDITAHEAD_CODE_SERVER;
const VSIX = process.env.EDITAHEAD_VSIX;
const PATIENCE = Number(process.env.EDITAHEAD_PATIENCE ?? 300_000); // milliseconds; other work may have the machine

export const STATUS = 'editahead.editahead.editahead.status';
export const NEXT_EDIT = 'editahead.editahead.editahead.nextEdit';
export const REAL = [PYTHON, '-m', 'editahead'];
export const FAKE = [PYTHON, join(ROOT, 'tests', 'editors', 'vscode', 'fake_server.py')];

// Nothing moves, asks, updates or completes by itself, so that a test sees what it typed.
const QUIET = {
  'chat.disableAIFeatures': true,
  'editor.accessibilitySupport': 'off',
  'editor.autoClosingBrackets': 'never',
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
  'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
  'editor.suggestOnTriggerCharacters': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'git.enabled': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'window.confirmBeforeClose': 'never',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
};
// Silence because a busy machine was late is no fault here.
const PATIENT = {
  'editahead.completionDeadlineMs': 60_000,
  'editahead.inlineDeadlineMs': 60_000,
  'editahead.nextEditDeadlineMs': 60_000,
};

const running = new Set(); // what is open, for the words of a failure
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1)); // so that what was started ends

/** Look again and again until there is something to see; after too long a wait, fail and say what there was instead. */
export async function until(what, look, patience = PATIENCE) {
  const end = Date.now() + patience;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) {
      const screens = await Promise.all([...running].map((code) => code.screen()));
      throw new Error([`waited ${patience / 1000} s for ${what}`, ...screens].join('\n'));
    }
    await pause(40);
  }
}

/** Runs in the page: the latest text of every message, by its element. */
function recordMessages() {
  globalThis.shownMessages = new Map();
  const look = () => document.querySelectorAll('.notification-toast').forEach((shown) => globalThis.shownMessages.set(shown, shown.innerText));
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
}

/** VS Code with a folder of files, one of them open. `command`: the server's, or null for none in the settings;
 * `others`: folders of further extensions; `prepare` may put more into the folder and answers with further variables for the editor's environment. */
export async function open({ files, file, command = REAL, others = [], settings = {}, prepare = () => ({}), size = { width: 1280, height: 800 }, scale = 1 }) {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'code-'))); // short: sockets are made in it
  const folder = join(scratch, 'work');
  const user = join(scratch, 'user');
  const extensions = join(scratch, 'ext');
  for (const path of [folder, join(user, 'User'), extensions]) mkdirSync(path, { recursive: true });
  for (const other of others) cpSync(other, join(extensions, basename(other)), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const variables = prepare(folder);
  const dirs = ['--user-data-dir', user, '--extensions-dir', extensions];
  const env = { ...process.env, TMPDIR: scratch, XDG_DATA_HOME: scratch, XDG_CONFIG_HOME: scratch, ...variables };
  const code = new Code(scratch, folder, user);
  code.configure({ ...QUIET, ...PATIENT, ...(command ? { 'editahead.server.command': command } : {}), ...settings });
  execFileSync(SERVER, [...dirs, '--install-extension', VSIX], { stdio: 'pipe', env });
  try {
    await code.begin(dirs, env, file, size, scale);
  } catch (error) {
    await code.stop();
    throw error;
  }
  return code;
}

export class Code {
  constructor(scratch, folder, user) {
    Object.assign(this, { scratch, folder, user, said: '', settings: {} });
  }

  /** Change the user's settings, as an editor of the file would. */
  configure(more) {
    this.settings = { ...this.settings, ...more };
    writeFileSync(join(this.user, 'User', 'settings.json'), JSON.stringify(this.settings, null, 2));
  }

  async begin(dirs, env, file, size, scale) {
    this.child = spawn(SERVER, [...dirs, '--bind-addr', '127.0.0.1:0'], { detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout, this.child.stderr]) stream.on('data', (piece) => (this.said += piece));
    process.once('exit', () => this.signal('SIGKILL'));
    const port = await until('code-server', () => {
      if (this.child.exitCode !== null) throw new Error(`code-server ended: ${this.said}`);
      return /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(this.said)?.[1];
    });
    const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
    this.browser = await chromium.launch({ executablePath, args: ['--disable-gpu', '--disable-quic'], timeout: PATIENCE });
    const context = await this.browser.newContext({ viewport: size, deviceScaleFactor: scale });
    this.page = await context.newPage();
    this.page.setDefaultTimeout(PATIENCE);
    await this.page.addInitScript(recordMessages);
    const host = `127.0.0.1:${port}`;
    const payload = JSON.stringify([['openFile', `vscode-remote://${host}${join(this.folder, file)}`]]);
    const query = new URLSearchParams({ folder: this.folder, payload });
    await this.page.goto(`http://${host}/?${query}`, { waitUntil: 'commit' });
    this.file = file;
    await this.editor().locator('.view-line').first().waitFor();
    await this.focus();
    running.add(this);
  }

  /** All that the window says, and the end of code-server's output; a picture goes into EDITAHEAD_SHOTS where that is set. */
  async screen() {
    const folder = process.env.EDITAHEAD_SHOTS;
    if (folder) await this.page.screenshot({ path: join(folder, `${process.pid}-${Date.now()}.png`) }).catch(() => {});
    const text = await this.page.locator('body').innerText().catch(String);
    return [text.replace(/\n\s*\n/g, '\n'), this.said.slice(-2000)].join('\n--\n');
  }

  editor(file = this.file) {
    return this.page.locator(`.editor-instance .monaco-editor[data-uri$="/${file}"]`);
  }

  async focus() {
    await this.editor().locator('.view-lines').click({ position: { x: 300, y: 5 } });
  }

  item(id) {
    return this.page.locator(`[id="${id}"]`);
  }

  /** The server has its models, so that what is typed from now on is answered. */
  async ready() {
    const item = this.item(STATUS);
    await until('the server', async () => (await item.count()) > 0 && /^\W*editahead$/.test(await item.innerText()));
  }

  /** Wait for a text beside the pointer on an item of the status bar; a tooltip that was taken away is asked for again. */
  async tooltip(id, text) {
    const shown = this.page.locator('.workbench-hover').filter({ hasText: text });
    await until(`the tooltip "${text}"`, async () => {
      await this.item(id).hover();
      try {
        await shown.first().waitFor({ timeout: 10_000 });
        return true;
      } catch {
        await this.page.mouse.move(0, 0);
        return false;
      }
    });
  }

  press(...keys) {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  type(text, delay = 20) {
    return this.page.keyboard.type(text, { delay });
  }

  /** All messages that were shown so far; they hide themselves after some seconds. */
  messages() {
    return this.page.evaluate(() => [...globalThis.shownMessages.values()]);
  }

  /** Run a command of the palette by its title. */
  async command(title) {
    const input = this.page.locator('.quick-input-widget input');
    await this.press('F1');
    await input.waitFor();
    await input.fill(`>${title}`);
    await this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title }).waitFor();
    await this.press('Enter');
    // The command may ask for something with the same input.
    await until('the palette closed', async () => !(await input.isVisible()) || !(await input.inputValue()).startsWith('>'));
  }

  /** Put the cursor to a line and column, counted from 1. */
  async goTo(line, column) {
    const input = this.page.locator('.quick-input-widget input');
    await this.press('Control+g');
    await input.waitFor();
    await input.fill(`:${line}:${column}`);
    await this.press('Enter');
    await input.waitFor({ state: 'hidden' });
    await until(`the cursor at ${line}:${column}`, async () => (await this.cursor()) === `${line}:${column}`);
  }

  /** Open another file of the folder. */
  async openFile(file) {
    const input = this.page.locator('.quick-input-widget input');
    await this.press('Control+p');
    await input.waitFor();
    await input.fill(file);
    await this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: file }).waitFor();
    await this.press('Enter');
    await input.waitFor({ state: 'hidden' });
    this.file = file;
    await this.editor().locator('.view-line').first().waitFor();
    await until(`${file} in front`, async () => (await this.page.title()).includes(file));
  }

  /** "line:column", counted from 1. */
  async cursor() {
    const said = await this.item('status.editor.selection').innerText();
    return /Ln (\d+), Col (\d+)/.exec(said)?.slice(1).join(':');
  }

  /** Replace the word at the cursor by typing. */
  async rewrite(word) {
    await this.press('Control+d');
    await until('the word selected', async () => (await this.item('status.editor.selection').innerText()).includes('selected'));
    await this.type(word);
  }

  /** The ghost text as it is drawn, or ''. */
  ghost() {
    return this.editor().evaluate(ghostOf);
  }

  /** What is drawn of a next edit: texts struck through, texts added, whether the gutter is marked. */
  nextEdit() {
    return this.editor().evaluate(nextEditOf);
  }

  /** The lines that can be seen, without what decorations add; ghost text is in them. */
  lines() {
    return this.editor().evaluate(linesOf);
  }

  /** Whether something shows, by a CSS selector. */
  shows(selector) {
    return this.page.evaluate(visible, selector);
  }

  /** Open the tour and wait until just these of its steps are ticked. */
  async ticked(...steps) {
    await this.command('Take the Tour');
    await this.page.locator('[data-done-step-id]').first().waitFor();
    await until(`ticks of ${steps}`, async () => {
      const ids = await this.page.locator('[data-done-step-id][aria-checked="true"]').evaluateAll((ticks) => ticks.map((tick) => tick.dataset.doneStepId));
      return ids.map((id) => id.split('#').at(-1)).sort().join() === steps.sort().join();
    });
  }

  /** Save, and read what is on disk. */
  async save(file = this.file) {
    await this.press('Control+s');
    await this.page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
    return readFileSync(join(this.folder, file), 'utf8');
  }

  signal(name) {
    try {
      process.kill(-this.child.pid, name);
    } catch {
      // it has ended
    }
  }

  async stop() {
    running.delete(this);
    await this.browser?.close();
    if (this.child) {
      const ended = new Promise((done) => this.child.once('close', done));
      this.signal('SIGTERM');
      await Promise.race([ended, pause(10_000, undefined, { ref: false })]);
      this.signal('SIGKILL');
    }
    rmSync(this.scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}
