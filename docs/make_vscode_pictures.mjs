// Draws docs/vscode-ghost.png and docs/vscode-next-edit.png: a real Visual Studio Code with the extension.
//   python scripts/install_vscode.py && node docs/make_vscode_pictures.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = dirname(fileURLToPath(import.meta.url));
const extension = join(docs, '..', 'editors', 'vscode');
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
const editors = process.env.EDITAHEAD_EDITORS ?? join(cache, 'editahead-editors');
const scratch = mkdtempSync(join(tmpdir(), 'pictures-'));
process.env.EDITAHEAD_CODE_SERVER ??= join(editors, 'vscode', 'bin', 'code-server');
process.env.EDITAHEAD_VSIX = join(scratch, 'editahead.vsix');

const LOOKS = {
  'breadcrumbs.enabled': false,
  'editor.fontSize': 16,
  'editor.lightbulb.enabled': 'off',
  'editor.matchBrackets': 'never',
  'editor.occurrencesHighlight': 'off',
  'editor.scrollbar.vertical': 'hidden',
  'editor.stickyScroll.enabled': false,
  'window.commandCenter': false,
  'workbench.activityBar.location': 'hidden',
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.layoutControl.enabled': false,
};
const PYTHON = `class Inventory:
    def __init__(self, location):
        self.location = location
        self.quantities = {}

    def add(self, name, count):
        self.quantities[name] = self.quantities.get(name, 0) + count

    def remove(self, name, count):

`;
const JAVA = `class Report {
    String summary(Order order) {
        Money total = priceOf(order);
        return order.name() + ": " + total;
    }

    boolean isLarge(Order order) {
        return priceOf(order).isAbove(LIMIT);
    }

    Invoice invoice(Order order) {
        return new Invoice(order.customer(), priceOf(order));
    }
}
`;

const { open, until } = await import('../tests/editors/vscode/vscode.mjs');

/** The window without what browsers and people put around the text. */
async function picture(code, name) {
  await code.page.mouse.move(5, 300);
  await until('the picture to stand still', async () => !(await code.shows('.notification-toast, .monaco-hover:not(.hidden), .quick-input-widget')));
  await code.page.screenshot({ path: join(docs, name), animations: 'disabled' });
}

try {
  execFileSync(process.execPath, ['scripts/package.mjs'], { cwd: extension, env: { ...process.env, OUT: process.env.EDITAHEAD_VSIX, WHEEL: '' } });
  const files = { 'inventory.py': PYTHON, 'Report.java': JAVA };
  const code = await open({ files, file: 'inventory.py', settings: LOOKS, size: { width: 900, height: 400 } });
  try {
    await code.press('Control+b'); // the side bar
    await until('the side bar closed', async () => !(await code.shows('.part.sidebar')));
    await code.ready();
    await code.goTo(10, 1);
    await code.type('        self.quant');
    await until('ghost text', () => code.ghost());
    await picture(code, 'vscode-ghost.png');
    await code.save();
    await code.openFile('Report.java');
    await code.ready();
    for (const [line, column] of [[3, 23], [8, 16]]) {
      await code.goTo(line, column);
      await code.rewrite('netPrice');
    }
    await until('the next edit', async () => (await code.nextEdit()).gutter);
    await picture(code, 'vscode-next-edit.png');
  } finally {
    await code.stop();
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
