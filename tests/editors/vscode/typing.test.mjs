// An hour of typing in miniature: with the editor's own defaults the text is what was typed, whatever is shown meanwhile.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { open, until } from './vscode.mjs';

const HEAD = `import json


class Warehouse:
    def __init__(self, location):
        self.location = location
        self.quantities = {}
        self.failed_events = []
`;
// The editor indents and closes brackets by itself, and undoes word by word; "|" stands before the name of a key.
const STEPS = [
  ['|Enter', '|Shift+Tab', '    def restock(self, name, count):', '|Enter', 'failed = []', '|Enter'],
  ['self.quantities[name] = self.quantities.get(name, 0) + count', '|Enter', 'for item in self.quantities:', '|Enter'],
  ['failed.append(itme)', '|ArrowLeft', '|Backspace', '|Backspace', 'em', '|End', '|Enter', '|Backspace', 'return failed', '|Enter'],
  ['|Backspace', '|Enter', 'def report(self):', '|Enter', 'if not self.failed_events:', '|Enter', 'return None', '|Enter', '|Backspace'],
  ['rows = sorted(self.quantities.items())', '|Enter', 'return json.dumps(rows)', '|Enter', '|Backspace', '|Enter'],
  ['def clear(self):', '|Enter', 'self.quantities = {}', '|Enter', 'x = 1', '|Control+z', '|ArrowUp', '|End', '|ArrowDown', '|End', '|Enter'],
  ['self.failed_events = []', '|Enter', 'return self', '|Enter', '|Backspace', '|Backspace', '|Enter', 'as_text = str', '|Enter', 'in_order = sorted', '|Enter'],
];
const TYPED = `
    def restock(self, name, count):
        failed = []
        self.quantities[name] = self.quantities.get(name, 0) + count
        for item in self.quantities:
            failed.append(item)
        return failed

    def report(self):
        if not self.failed_events:
            return None
        rows = sorted(self.quantities.items())
        return json.dumps(rows)

    def clear(self):
        self.quantities = {}
        x =
        self.failed_events = []
        return self

as_text = str
in_order = sorted
`;
const DEFAULTS = {
  'editor.autoClosingBrackets': 'languageDefined',
  'editor.quickSuggestions': { other: 'on', comments: 'off', strings: 'off' },
  'editor.suggestOnTriggerCharacters': true,
};

let code;
before(async () => {
  code = await open({ files: { 'warehouse.py': HEAD }, file: 'warehouse.py', settings: DEFAULTS });
  await code.ready();
});
after(() => code?.stop());

test('every key does what it does, and nothing else changes the text', async () => {
  let shown = 0;
  let menus = 0;
  await code.goTo(9, 1);
  for (const step of STEPS.flat()) {
    if (step.startsWith('|')) {
      await code.press(step.slice(1));
      continue;
    }
    await code.type(step, 40);
    await pause(400); // time for something to be shown, as when a person looks at what was typed
    shown += (await code.ghost()) !== '' ? 1 : 0;
    menus += (await code.shows('.suggest-widget.visible .monaco-list-row')) ? 1 : 0;
  }
  await until('something shown', () => shown + menus > 3, 1000);
  const strip = (text) => text.split('\n').map((line) => line.trimEnd()).join('\n').trimEnd();
  assert.equal(strip(await code.save()), strip(HEAD + TYPED));
});
