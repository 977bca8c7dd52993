/** Which lines differ between two short texts. */

/** Old lines [oldAt, oldAt + oldCount) became new lines [newAt, newAt + newCount). */
export interface Block {
  readonly oldAt: number;
  readonly oldCount: number;
  readonly newAt: number;
  readonly newCount: number;
}

const MOST = 250_000; // cells of the table; what is larger is one block

/** The blocks that differ, in order, by a longest common subsequence of lines. */
export function blocks(old: readonly string[], made: readonly string[]): Block[] {
  let head = 0;
  while (head < old.length && head < made.length && old[head] === made[head]) {
    head += 1;
  }
  let tail = 0;
  while (tail < old.length - head && tail < made.length - head && old[old.length - 1 - tail] === made[made.length - 1 - tail]) {
    tail += 1;
  }
  const rows = old.length - head - tail;
  const columns = made.length - head - tail;
  if (rows === 0 && columns === 0) {
    return [];
  }
  if (rows === 0 || columns === 0 || rows * columns > MOST) {
    return [{ oldAt: head, oldCount: rows, newAt: head, newCount: columns }];
  }
  return inside(old.slice(head, head + rows), made.slice(head, head + columns), head);
}

function inside(old: readonly string[], made: readonly string[], offset: number): Block[] {
  // length[i][j]: the longest common subsequence of old[i:] and made[j:]
  const length = Array.from({ length: old.length + 1 }, () => new Uint32Array(made.length + 1));
  const at = (i: number, j: number): number => length[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const row = length[i];
    for (let j = made.length - 1; row && j >= 0; j -= 1) {
      row[j] = old[i] === made[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found: Block[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < made.length) {
    const [oldAt, newAt] = [i, j];
    while ((i < old.length || j < made.length) && !(i < old.length && j < made.length && old[i] === made[j])) {
      if (j >= made.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) {
        i += 1;
      } else {
        j += 1;
      }
    }
    if (i > oldAt || j > newAt) {
      found.push({ oldAt: oldAt + offset, oldCount: i - oldAt, newAt: newAt + offset, newCount: j - newAt });
    } else {
      i += 1;
      j += 1;
    }
  }
  return found;
}
