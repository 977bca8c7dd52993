/** Runs programs with `--version` to find out which are servers, and which Python can run one. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { OWN_ENVIRONMENT, type Candidate } from './candidates';

const TIMEOUT = 30_000; // milliseconds: the first start after an installation reads much from disk

export interface LocatedServer extends Candidate {
  readonly version: string;
}

/** Standard output of a program. Rejects with one line if it fails; with `mayFail`, both its outputs are returned instead. */
export function output(command: readonly string[], cwd: string, mayFail = false, timeout = TIMEOUT): Promise<string> {
  const [program = '', ...words] = command;
  return new Promise((resolve, reject) => {
    // Wide enough for every row of `doctor`, which would be cut or wrapped otherwise.
    const env = { ...process.env, COLUMNS: '400' };
    execFile(program, words, { cwd, env, timeout, windowsHide: true }, (error, out, complaint) => {
      if (!error || (mayFail && typeof error.code === 'number')) {
        resolve((error ? `${out}\n${complaint}` : out).replaceAll(/ +$/gm, '').trim());
        return;
      }
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const said = complaint.trim().split(/\r?\n/).at(-1) ?? '';
      reject(new Error(missing ? `${program} is not there` : said || error.message.split('\n')[0]));
    });
  });
}

/** The server's version. Rejects with one line if the command starts no server. */
export async function versionOf(command: readonly string[], cwd: string): Promise<string> {
  const program = command[0] ?? '';
  if (isAbsolute(program) && !existsSync(program)) {
    throw new Error(`${program} is not there`);
  }
  const said = await output([...command, '--version'], cwd);
  const match = /^editahead (\S+)/m.exec(said);
  if (!match?.[1]) {
    throw new Error(`${program} is not editahead: it says ${JSON.stringify(said.slice(0, 60))}`);
  }
  return match[1];
}

/** The first candidate that answers, or a reason for each candidate. */
export async function findServer(all: readonly Candidate[], cwd: string): Promise<LocatedServer | string[]> {
  const reasons: string[] = [];
  for (const candidate of all) {
    try {
      return { ...candidate, version: await versionOf(candidate.command, cwd) };
    } catch (error) {
      reasons.push(`${candidate.from}: ${(error as Error).message}`);
    }
  }
  return reasons;
}

/** Whether this Python is new enough for the server (3.10). */
export async function newEnough(python: readonly string[], cwd: string): Promise<boolean> {
  try {
    return (await output([...python, '-c', 'import sys; print(sys.version_info >= (3, 10))'], cwd)) === 'True';
  } catch {
    return false;
  }
}

/** Whether the server in the extension's environment differs in version from the bundled wheel. */
export function outdated(found: LocatedServer, wheel: string | undefined): boolean {
  const held = wheel === undefined ? undefined : /^editahead-([^-]+)-/.exec(basename(wheel))?.[1];
  return found.from === OWN_ENVIRONMENT && held !== undefined && held !== found.version;
}
