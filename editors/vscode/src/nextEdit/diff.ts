/** Line diff of two short texts. */

/** Old lines [oldAt, oldAt + oldCount) became new lines [newAt, newAt + newCount). */
export interface Block {
  readonly oldAt: number;
  readonly oldCount: number;
  readonly newAt: number;
  readonly newCount: number;
}

const MAX_CELLS = 250_000; // cells of the table; larger texts become one block

/** The differing blocks in order, from a longest common subsequence of lines. */
export function blocks(oldLines: readonly string[], newLines: readonly string[]): Block[] {
  let head = 0;
  while (head < oldLines.length && head < newLines.length && oldLines[head] === newLines[head]) {
    head += 1;
  }
  let tail = 0;
  while (tail < oldLines.length - head && tail < newLines.length - head && oldLines[oldLines.length - 1 - tail] === newLines[newLines.length - 1 - tail]) {
    tail += 1;
  }
  const rows = oldLines.length - head - tail;
  const columns = newLines.length - head - tail;
  if (rows === 0 && columns === 0) {
    return [];
  }
  if (rows === 0 || columns === 0 || rows * columns > MAX_CELLS) {
    return [{ oldAt: head, oldCount: rows, newAt: head, newCount: columns }];
  }
  return inside(oldLines.slice(head, head + rows), newLines.slice(head, head + columns), head);
}

function inside(oldLines: readonly string[], newLines: readonly string[], offset: number): Block[] {
  // length[i][j]: the longest common subsequence of old[i:] and made[j:]
  const length = Array.from({ length: oldLines.length + 1 }, () => new Uint32Array(newLines.length + 1));
  const at = (i: number, j: number): number => length[i]?.[j] ?? 0;
  for (let i = oldLines.length - 1; i >= 0; i -= 1) {
    const row = length[i];
    for (let j = newLines.length - 1; row && j >= 0; j -= 1) {
      row[j] = oldLines[i] === newLines[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found: Block[] = [];
  let [i, j] = [0, 0];
  while (i < oldLines.length || j < newLines.length) {
    const [oldAt, newAt] = [i, j];
    while ((i < oldLines.length || j < newLines.length) && !(i < oldLines.length && j < newLines.length && oldLines[i] === newLines[j])) {
      if (j >= newLines.length || (i < oldLines.length && at(i + 1, j) >= at(i, j + 1))) {
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
