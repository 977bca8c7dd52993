// Names the packages whose code esbuild put into a bundle, and writes their licences: theirs ask to be passed on with the code.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE = /^(licen[cs]e|copying|notice)(\.|$)/i;
const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** {name, version, license, folder} of each package with a file among the inputs of esbuild's metafile, sorted by name. */
export function bundledPackages(metafile) {
  const folders = new Set(Object.keys(metafile.inputs).map((input) => PACKAGE.exec(input)?.[1]).filter(Boolean));
  const packages = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { name, version, license, folder };
  });
  return packages.sort((a, b) => (a.name + a.version < b.name + b.version ? -1 : 1));
}

/** The text that goes into the .vsix. Throws where a package says nothing of its licence. */
export function notices(packages) {
  const parts = packages.map(({ name, version, license, folder }) => {
    const files = readdirSync(folder).filter((file) => LICENCE.test(file)).sort();
    if (!files.length || !license) {
      throw new Error(`${name} ${version} has no licence: leave it out of the extension`);
    }
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
    return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
  });
  const head = 'dist/extension.js holds code of the following packages.\n';
  return [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}
