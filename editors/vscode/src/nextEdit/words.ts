/** Where two lines differ, in whole words. Columns are UTF-16 units. */

/** Characters [first, last) of the old line become `insert`. */
export interface Piece {
  readonly first: number;
  readonly last: number;
  readonly insert: string;
}

function ofWord(text: string, at: number): boolean {
  return /[\p{L}\p{N}_$]/u.test(text[at] ?? ' ') || splits(text, at) || splits(text, at + 1);
}

/** Whether a character of two units goes across this place. */
function splits(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const behind = text.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && behind >= 0xdc00 && behind < 0xe000;
}

/** How many units two lines have in common at both ends; never half a character. */
function common(old: string, made: string): [head: number, tail: number] {
  const most = Math.min(old.length, made.length);
  let head = 0;
  while (head < most && old[head] === made[head]) {
    head += 1;
  }
  while (head > 0 && (splits(old, head) || splits(made, head))) {
    head -= 1;
  }
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === made[made.length - 1 - tail]) {
    tail += 1;
  }
  while (tail > 0 && (splits(old, old.length - tail) || splits(made, made.length - tail))) {
    tail -= 1;
  }
  return [head, tail];
}

/** The change inside a line. None when the lines have too little in common to be shown as one. */
export function pieceOf(old: string, made: string): Piece | undefined {
  let [head, tail] = common(old, made);
  if (old.length > head + tail && made.length > head + tail) {
    // Something goes and something comes: people read words, not letters.
    while (head > 0 && ofWord(old, head - 1)) {
      head -= 1;
    }
    while (tail > 0 && ofWord(old, old.length - tail)) {
      tail -= 1;
    }
  }
  const same = (old.slice(0, head) + old.slice(old.length - tail)).trim().length;
  const removed = old.length - head - tail;
  const added = made.length - head - tail;
  if (old.trim() === '' || same * 2 < Math.min(removed, added)) {
    return undefined;
  }
  return { first: head, last: old.length - tail, insert: made.slice(head, made.length - tail) };
}
