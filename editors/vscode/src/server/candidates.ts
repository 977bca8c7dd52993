/** Where a server may be: an ordered list of commands to try. Nothing is run and no file is looked at here. */
import * as path from 'node:path';

/** A way to start the server, and where it comes from, in words. */
export interface Candidate {
  readonly command: readonly string[];
  readonly from: string;
}

export interface Surroundings {
  /** The setting `editahead.server.command`; empty when not set. */
  readonly command: readonly string[];
  /** The setting `editahead.server.python`; empty when not set. */
  readonly python: string;
  /** The interpreter that was chosen with the Python extension; empty when there is none, or no trust. */
  readonly chosen: string;
  /** Workspace folders whose programs may be run: none in a workspace that is not trusted. */
  readonly folders: readonly string[];
  /** The environment that this extension makes itself; it may not be there yet. */
  readonly own: string;
  readonly home: string;
  readonly windows: boolean;
}

/** Where the environment that this extension makes comes from, in words. */
export const OWN = "the extension's own environment";

const MODULE = ['-m', 'editahead'];

/** The interpreter of a virtual environment. */
export function interpreter(environment: string, windows: boolean): string {
  const { join } = windows ? path.win32 : path.posix;
  return windows ? join(environment, 'Scripts', 'python.exe') : join(environment, 'bin', 'python');
}

/** `~` and `${workspaceFolder}` as people write them in settings. */
export function expanded(text: string, around: Surroundings): string {
  const whole = text.replaceAll('${workspaceFolder}', around.folders[0] ?? '');
  return /^~(?=[/\\]|$)/.test(whole) ? around.home + whole.slice(1) : whole;
}

/** What to try, in order. A setting is a wish: where one is set, nothing else is tried. */
export function candidates(around: Surroundings): Candidate[] {
  if (around.command.length > 0) {
    return [{ command: around.command.map((word) => expanded(word, around)), from: 'editahead.server.command' }];
  }
  if (around.python !== '') {
    return [{ command: [expanded(around.python, around), ...MODULE], from: 'editahead.server.python' }];
  }
  const join = around.windows ? path.win32.join : path.posix.join;
  const found: Candidate[] = [];
  if (around.chosen !== '') {
    found.push({ command: [around.chosen, ...MODULE], from: 'the interpreter of the Python extension' });
  }
  for (const folder of around.folders) {
    for (const name of ['.venv', 'venv']) {
      const environment = join(folder, name);
      found.push({ command: [interpreter(environment, around.windows), ...MODULE], from: `${name} of the workspace` });
    }
  }
  found.push({ command: [interpreter(around.own, around.windows), ...MODULE], from: OWN });
  found.push({ command: ['editahead'], from: 'PATH' });
  for (const python of around.windows ? [['py', '-3'], ['python']] : [['python3'], ['python']]) {
    found.push({ command: [...python, ...MODULE], from: `${python[0]} on PATH` });
  }
  return found;
}
