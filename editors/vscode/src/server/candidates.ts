/** Commands that may start a server, in the order to try them. Runs nothing and reads no file. */
import * as path from 'node:path';

/** A command that starts the server, and a description of its origin. */
export interface Candidate {
  readonly command: readonly string[];
  readonly from: string;
}

export interface SearchContext {
  /** The setting `editahead.server.command`; empty when not set. */
  readonly command: readonly string[];
  /** The setting `editahead.server.python`; empty when not set. */
  readonly python: string;
  /** The interpreter that was chosen with the Python extension; empty when there is none, or no trust. */
  readonly chosen: string;
  /** Workspace folders whose programs may be run: none in a workspace that is not trusted. */
  readonly folders: readonly string[];
  /** The environment that this extension creates; it may not exist yet. */
  readonly own: string;
  readonly home: string;
  readonly windows: boolean;
}

/** Description of the environment that this extension creates. */
export const OWN_ENVIRONMENT = "the extension's own environment";

const MODULE = ['-m', 'editahead'];

/** The interpreter of a virtual environment. */
export function interpreter(environment: string, windows: boolean): string {
  const { join } = windows ? path.win32 : path.posix;
  return windows ? join(environment, 'Scripts', 'python.exe') : join(environment, 'bin', 'python');
}

/** A setting with `~` and `${workspaceFolder}` expanded. */
export function expandVariables(text: string, context: SearchContext): string {
  const whole = text.replaceAll('${workspaceFolder}', context.folders[0] ?? '');
  return /^~(?=[/\\]|$)/.test(whole) ? context.home + whole.slice(1) : whole;
}

/** The candidates in order. If a setting names a server, nothing else is tried. */
export function candidates(context: SearchContext): Candidate[] {
  if (context.command.length > 0) {
    return [{ command: context.command.map((word) => expandVariables(word, context)), from: 'editahead.server.command' }];
  }
  if (context.python !== '') {
    return [{ command: [expandVariables(context.python, context), ...MODULE], from: 'editahead.server.python' }];
  }
  const join = context.windows ? path.win32.join : path.posix.join;
  const found: Candidate[] = [];
  if (context.chosen !== '') {
    found.push({ command: [context.chosen, ...MODULE], from: 'the interpreter of the Python extension' });
  }
  for (const folder of context.folders) {
    for (const name of ['.venv', 'venv']) {
      const environment = join(folder, name);
      found.push({ command: [interpreter(environment, context.windows), ...MODULE], from: `${name} of the workspace` });
    }
  }
  found.push({ command: [interpreter(context.own, context.windows), ...MODULE], from: OWN_ENVIRONMENT });
  found.push({ command: ['editahead'], from: 'PATH' });
  for (const python of context.windows ? [['py', '-3'], ['python']] : [['python3'], ['python']]) {
    found.push({ command: [...python, ...MODULE], from: `${python[0]} on PATH` });
  }
  return found;
}
