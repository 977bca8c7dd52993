// Reads a name and a text in base64 a line; answers with "syntax" and the names that the TypeScript compiler cannot find.
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';

const ts = createRequire(import.meta.url)(process.argv[2]);
const UNKNOWN = new Set([2304, 2552, 2503, 2580, 2581, 2582, 2583, 2584, 18004, 2663, 2662]);
let file = { name: 'a.ts', text: '', version: 0 };
const host = {
  getScriptFileNames: () => [file.name],
  getScriptVersion: () => String(file.version),
  getScriptSnapshot: (name) => (name === file.name ? ts.ScriptSnapshot.fromString(file.text) : undefined),
  getCurrentDirectory: () => '/',
  getCompilationSettings: () => ({ noResolve: true, noLib: true, allowJs: true, jsx: ts.JsxEmit.Preserve, target: 99 }),
  getDefaultLibFileName: () => 'lib.d.ts',
  fileExists: (name) => name === file.name,
  readFile: (name) => (name === file.name ? file.text : undefined),
};
const service = ts.createLanguageService(host);
for await (const line of createInterface({ input: process.stdin })) {
  const [name, encoded] = line.split(' ');
  const text = Buffer.from(encoded, 'base64').toString();
  file = { name: `/${name.split('/').pop()}`, text, version: file.version + 1 };
  const faults = new Set();
  if (service.getSyntacticDiagnostics(file.name).length) faults.add('syntax');
  for (const row of service.getSemanticDiagnostics(file.name)) {
    if (UNKNOWN.has(row.code)) faults.add(file.text.slice(row.start, row.start + row.length));
  }
  process.stdout.write(`${JSON.stringify([...faults])}\n`);
}
