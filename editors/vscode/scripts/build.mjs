// Bundles the extension (dist/extension.js), or with --tests every unit test (out/*.test.js).
import { build } from 'esbuild';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';

const shared = { bundle: true, platform: 'node', format: 'cjs', target: 'node20', logLevel: 'warning' };
if (process.argv.includes('--tests')) {
  rmSync('out', { recursive: true, force: true });
  const entryPoints = readdirSync('test').filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name}`);
  await build({ ...shared, entryPoints, outdir: 'out', sourcemap: 'inline' });
} else {
  const options = { entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', external: ['vscode'], minify: true, metafile: true };
  const { metafile } = await build({ ...shared, ...options });
  writeFileSync('dist/metafile.json', JSON.stringify(metafile)); // package.mjs reads from it whose code is in the bundle
}
