// The whole of it: a real file, the real server, the shipped models; typed, accepted, jumped, applied, turned down, saved.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { NEXT_EDIT, open, until } from './vscode.mjs';

const INVENTORY = `class Inventory:
    def __init__(self, location):
        self.location = location
        self.quantities = {}

    def add(self, name, count):
        self.quantities[name] = self.quantities.get(name, 0) + count

    def remove(self, name, count):
        pass
`;
const CALLS = `def run(a, b, c):
    first = check(a)
    second = check(b)
    if first and second:
        return check(c)
    return None
`;

const SCRIPT = `export class Basket {
    private prices = new Map<string, number>();
    private counts = new Map<string, number>();

    add(name: string, price: number, count: number): void {
        this.prices.set(name, price);
        this.counts.set(name, (this.counts.get(name) ?? 0) + count);
    }

    price(name: string) {
        todo
    }
}
`;
const GO = `package shop

type Basket struct {
	prices map[string]float64
	counts map[string]int
}

func (b *Basket) Add(name string, price float64, count int) {
	b.prices[name] = price
	b.counts[name] = b.counts[name] + count
}

func (b *Basket) Price(name string) float64 {
	todo
}
`;
// By language: the file, the place of the word that is replaced, what is typed there, and the name that it begins.
// Columns are those of the screen, on which a tab is four wide.
const NAMES = [
  ['inventory.py', INVENTORY, [10, 9], 'pass', 'self.quant', 'self.quantities'],
  ['basket.ts', SCRIPT, [11, 9], 'todo', 'return this.pri', 'return this.prices'],
  ['basket.go', GO, [14, 5], 'todo', 'return b.pri', 'return b.prices'],
];

const HINTED = `def run(kind, count):
    print(kind)
    if kind == 3:
        count = kind + 1
    return count
`;

const MEASURES = CALLS.replaceAll('check', 'measure');

let code;
before(async () => {
  const files = { ...Object.fromEntries(NAMES), 'calls.py': CALLS, 'measures.py': MEASURES, 'hinted.py': HINTED };
  code = await open({ files, file: 'inventory.py' });
  await code.ready();
});
after(() => code?.stop());

for (const [file, text, [line, column], word, typed, name] of NAMES) {
  test(`ghost text finishes a name, and a word of it can be taken: ${file}`, async () => {
    if (file !== 'inventory.py') await code.openFile(file);
    await code.goTo(line, column);
    await code.rewrite(typed);
    const ghost = await until('ghost text', () => code.ghost());
    assert.ok(ghost.startsWith(name.slice(typed.length)), ghost);
    await code.press('Control+ArrowRight');
    await until('a word of it', async () => (await code.lines())[line - 1].trim().startsWith(name));
    await code.press('Escape');
    await until('no ghost text', async () => (await code.ghost()) === '');
    assert.equal(await code.save(), text.replace(word, name));
  });
}

/** Rename the calls of the first two lines by hand. */
async function renameTwice(word) {
  for (const [line, column] of [[2, 13], [3, 14]]) {
    await code.goTo(line, column);
    await code.rewrite(word);
  }
}

test('an edit made twice is offered the third time: jump, apply, save', async () => {
  await code.openFile('calls.py');
  await renameTwice('verify');
  const seen = await until('the next edit', async () => {
    const now = await code.nextEdit();
    return now.gutter && now;
  });
  assert.deepEqual([seen.old, seen.made], [['check'], ['verify']]);
  assert.match(await code.item(NEXT_EDIT).innerText(), /next edit: line 5$/);
  await code.press('Tab');
  await until('the jump', async () => (await code.cursor()) === '5:16');
  await code.press('Tab');
  await until('the edit applied', async () => (await code.lines())[4] === '        return verify(c)');
  assert.equal(await code.save(), CALLS.replaceAll('check', 'verify'));
});

test('a next edit that was turned down stays away, and Tab is a Tab again', async () => {
  await code.openFile('measures.py');
  await renameTwice('weigh');
  await until('the next edit', async () => (await code.nextEdit()).gutter);
  await code.press('Escape');
  await until('it gone', async () => !(await code.nextEdit()).gutter);
  await code.goTo(6, 16);
  await code.press('Tab');
  const done = MEASURES.replace('measure(a)', 'weigh(a)').replace('measure(b)', 'weigh(b)');
  assert.equal(await code.save(), done.replace('None\n', 'None \n'));
});

test('a parameter that gets a new name and a type hint deletes nothing that uses it', async () => {
  await code.openFile('hinted.py');
  await code.goTo(1, 9);
  await code.rewrite('sort: int');
  await code.page.waitForTimeout(3000); // longer than the server waits for a pause in typing
  for (let tabs = 0; tabs < 4 && (await code.nextEdit()).gutter; tabs++) {
    await code.press('Tab');
    await code.page.waitForTimeout(500);
  }
  const text = await code.save();
  assert.equal(text.replaceAll('sort', 'kind').replace(': int', ''), HINTED);
});
