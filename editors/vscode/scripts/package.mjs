// Makes editahead-VERSION.vsix. The server's wheel is put in if there is one in the repository's dist folder
// (`python -m pip wheel --no-deps --wheel-dir dist .` makes it); WHEEL names another one, an empty WHEEL none.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const repository = join('..', '..');
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

function newest(folder) {
  const wheels = existsSync(folder) ? readdirSync(folder).filter((name) => /^editahead-.*\.whl$/.test(name)).sort() : [];
  return wheels.length > 0 ? join(folder, wheels[wheels.length - 1]) : '';
}

rmSync('bundled', { recursive: true, force: true });
const wheel = process.env.WHEEL ?? newest(join(repository, 'dist'));
if (wheel) {
  mkdirSync('bundled');
  copyFileSync(wheel, join('bundled', basename(wheel)));
}
copyFileSync(join(repository, 'LICENSE'), 'LICENSE');
try {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const out = process.env.OUT ?? `editahead-${version}.vsix`;
  const vsce = join('node_modules', '@vscode', 'vsce', 'vsce');
  const options = ['package', '--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', out];
  execFileSync(process.execPath, [vsce, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(`${out}, ${wheel ? `with ${basename(wheel)}` : 'without the server (no wheel in dist)'}`);
} finally {
  rmSync('LICENSE');
}
