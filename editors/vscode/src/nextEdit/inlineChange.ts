/** The change between two lines, widened to whole words. Columns are UTF-16 code units. */

/** Characters [first, last) of the old line become `insert`. */
export interface InlineChange {
  readonly first: number;
  readonly last: number;
  readonly insert: string;
}

function isWordCharacter(text: string, at: number): boolean {
  return /[\p{L}\p{N}_$]/u.test(text[at] ?? ' ') || splitsSurrogatePair(text, at) || splitsSurrogatePair(text, at + 1);
}

/** Whether a surrogate pair spans this position. */
function splitsSurrogatePair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const behind = text.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && behind >= 0xdc00 && behind < 0xe000;
}

/** Number of code units that two lines share at both ends; surrogate pairs are not split. */
function commonEnds(old: string, changed: string): [head: number, tail: number] {
  const most = Math.min(old.length, changed.length);
  let head = 0;
  while (head < most && old[head] === changed[head]) {
    head += 1;
  }
  while (head > 0 && (splitsSurrogatePair(old, head) || splitsSurrogatePair(changed, head))) {
    head -= 1;
  }
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === changed[changed.length - 1 - tail]) {
    tail += 1;
  }
  while (tail > 0 && (splitsSurrogatePair(old, old.length - tail) || splitsSurrogatePair(changed, changed.length - tail))) {
    tail -= 1;
  }
  return [head, tail];
}

/** The change inside a line; undefined if the lines have too little in common to show it inline. */
export function inlineChangeOf(old: string, changed: string): InlineChange | undefined {
  let [head, tail] = commonEnds(old, changed);
  if (old.length > head + tail && changed.length > head + tail) {
    // A replacement is easier to read in whole words; a pure insertion may stay inside one.
    while (head > 0 && isWordCharacter(old, head - 1)) {
      head -= 1;
    }
    while (tail > 0 && isWordCharacter(old, old.length - tail)) {
      tail -= 1;
    }
  }
  const same = (old.slice(0, head) + old.slice(old.length - tail)).trim().length;
  const removed = old.length - head - tail;
  const added = changed.length - head - tail;
  if (old.trim() === '' || same * 2 < Math.min(removed, added)) {
    return undefined;
  }
  return { first: head, last: old.length - tail, insert: changed.slice(head, changed.length - tail) };
}
