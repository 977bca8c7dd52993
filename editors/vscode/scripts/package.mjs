// Makes editahead-VERSION.vsix. A wheel of the server is built from this repository and put in, so that the button Install works.
// dist/packages.json lists the packages whose code is in the bundle; their licences go into ThirdPartyNotices.txt.
// WHEEL names a wheel that is there already, an empty WHEEL none; PYTHON the interpreter that builds (the repository's .venv, else python3).
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundledPackages, notices } from './notices.mjs';

const repository = join('..', '..');
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Build the server's wheel into `bundled`; ends with what to do when that fails. */
function build() {
  const own = join(repository, '.venv', ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']));
  const python = process.env.PYTHON ?? (existsSync(own) ? own : process.platform === 'win32' ? 'python' : 'python3');
  const words = ['-m', 'pip', 'wheel', '--quiet', '--disable-pip-version-check', '--no-deps', '--wheel-dir', 'bundled', repository];
  try {
    execFileSync(python, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    console.error(`The server's wheel could not be built with ${python}: set PYTHON to a Python with pip, WHEEL to a wheel, or WHEEL= for none.`);
    process.exit(1);
  }
}

rmSync('bundled', { recursive: true, force: true });
mkdirSync('bundled');
if (process.env.WHEEL) {
  copyFileSync(process.env.WHEEL, join('bundled', basename(process.env.WHEEL)));
} else if (process.env.WHEEL === undefined) {
  build();
}
const wheel = readdirSync('bundled').find((name) => name.endsWith('.whl'));
copyFileSync(join(repository, 'LICENSE'), 'LICENSE');
try {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const packages = bundledPackages(JSON.parse(readFileSync(join('dist', 'metafile.json'), 'utf8')));
  writeFileSync('ThirdPartyNotices.txt', notices(packages));
  writeFileSync(join('dist', 'packages.json'), JSON.stringify(packages.map(({ name, version, license }) => ({ name, version, license }))));
  const out = process.env.OUT ?? `editahead-${version}.vsix`;
  const vsce = join('node_modules', '@vscode', 'vsce', 'vsce');
  const options = ['package', '--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', out];
  execFileSync(process.execPath, [vsce, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(`${out}, ${wheel ? `with ${wheel}` : 'without the server'}`);
} finally {
  rmSync('LICENSE');
  rmSync('ThirdPartyNotices.txt', { force: true });
}
