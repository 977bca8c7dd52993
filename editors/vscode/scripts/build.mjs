// Bundles the extension (dist/extension.js), or with --tests every unit test (out/*.test.js).
import { build } from 'esbuild';
import { readdirSync, rmSync } from 'node:fs';

const shared = { bundle: true, platform: 'node', format: 'cjs', target: 'node20', logLevel: 'warning' };
if (process.argv.includes('--tests')) {
  rmSync('out', { recursive: true, force: true });
  const entryPoints = readdirSync('test').filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name}`);
  await build({ ...shared, entryPoints, outdir: 'out', sourcemap: 'inline' });
} else {
  await build({ ...shared, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', external: ['vscode'], minify: true });
}
