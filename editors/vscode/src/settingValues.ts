/** Functions on values of settings, without VS Code. */

// Read by this extension or by its library; the server does not know them.
const OURS = new Set(['server', 'editor', 'trace']);

/** The server's part of the section. */
export function serverSettings(section: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(section).filter(([key]) => !OURS.has(key)));
}

/** The setting `editahead.languages` with one language toggled. `*` stands for all that are not named. */
export function languagesAfterToggle(
  languages: Readonly<Record<string, boolean>>,
  languageId: string,
): { languages: Record<string, boolean>; enabled: boolean } {
  const enabled = !(languages[languageId] ?? languages['*'] ?? true);
  return { languages: { ...languages, [languageId]: enabled }, enabled };
}
