// References by the TypeScript compiler: a program of its own, started with `node typescript_references.mjs TYPESCRIPT`,
// where TYPESCRIPT is the folder of an installed package `typescript`.
//
// It reads one JSON object a line, {"path", "text", "line", "column"} (line from 1, column in characters), and answers
// each with the [line, column] of every name in that file that means the same, or null. Names that are a key and a name
// at once (`{x}`) have two meanings: of what is used in one nothing is said.

import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const ts = createRequire(import.meta.url)(process.argv[2]);
let name = "";
let text = "";
let version = 0;
const service = ts.createLanguageService({
  getCompilationSettings: () => ({ allowJs: true, noLib: true, noResolve: true, jsx: ts.JsxEmit.Preserve }),
  getScriptFileNames: () => [name],
  getScriptVersion: () => String(version),
  getScriptSnapshot: (file) => (file === name ? ts.ScriptSnapshot.fromString(text) : undefined),
  getCurrentDirectory: () => "/",
  getDefaultLibFileName: () => "lib.d.ts",
  fileExists: (file) => file === name,
  readFile: (file) => (file === name ? text : undefined),
});

function references({ path, text: content, line, column }) {
  name = "/" + path;
  text = content;
  version += 1;
  const source = service.getProgram().getSourceFile(name);
  const starts = source.getLineStarts();
  const codeUnits = [...text.slice(starts[line - 1])].slice(0, column).join("").length;
  const found = service.findRenameLocations(name, starts[line - 1] + codeUnits, false, false, {});
  if (!found || found.some((one) => one.prefixText || one.suffixText || one.fileName !== name)) {
    return null;
  }
  return found.map(({ textSpan }) => {
    const place = source.getLineAndCharacterOfPosition(textSpan.start);
    return [place.line + 1, [...text.slice(starts[place.line], textSpan.start)].length];
  });
}

for await (const row of createInterface({ input: process.stdin })) {
  let answer = null;
  try {
    answer = references(JSON.parse(row));
  } catch {
    // the compiler may fail on any file; that is no answer
  }
  console.log(JSON.stringify(answer));
}
