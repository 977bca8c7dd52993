/** Completions that another extension offers as well: VS Code lists the items of all extensions and cannot join them. */
import * as vscode from 'vscode';
import { sharedCompletions } from './settings';

const TIMEOUT = 300; // milliseconds to wait for the other extensions
const FRONT = 5; // likeliest items of ours that keep their place in front
const OURS = /^\d+ %/; // the detail of an item of ours
const collecting = new Set<string>();

type Completions = vscode.CompletionItem[] | vscode.CompletionList | null | undefined;

function placeKey(document: vscode.TextDocument, { line, character }: vscode.Position): string {
  return `${document.uri.toString()} ${document.version} ${line} ${character}`;
}

/** Whether this request is one of ours for the items of the others. */
export function isCollecting(document: vscode.TextDocument, position: vscode.Position): boolean {
  return collecting.delete(placeKey(document, position));
}

function nameOf({ label }: vscode.CompletionItem): string {
  return typeof label === 'string' ? label : label.label;
}

/** Names that other extensions offer at a place; none if they need too long. Words of the text and snippets are no names. */
export async function namesOfOthers(document: vscode.TextDocument, position: vscode.Position, character: string | undefined): Promise<ReadonlySet<string>> {
  if (sharedCompletions() === 'show') {
    return new Set();
  }
  const key = placeKey(document, position);
  collecting.add(key);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((done) => (timer = setTimeout(() => done(undefined), TIMEOUT)));
  const command = 'vscode.executeCompletionItemProvider';
  try {
    const list = await Promise.race([vscode.commands.executeCommand<vscode.CompletionList>(command, document.uri, position, character), late]);
    const { Text, Snippet } = vscode.CompletionItemKind;
    const names = (list?.items ?? []).filter(({ kind, detail }) => kind !== Text && kind !== Snippet && !OURS.test(detail ?? ''));
    return new Set(names.map(nameOf));
  } finally {
    clearTimeout(timer);
    collecting.delete(key);
  }
}

/** Leave the names of others to them, but for the likeliest, which stay in front with a star. */
export function withoutShared(completions: Completions, others: ReadonlySet<string>): Completions {
  if (!completions || others.size === 0) {
    return completions;
  }
  const items = Array.isArray(completions) ? completions : completions.items;
  const starred = new Set(items.slice(0, FRONT).filter((item) => others.has(nameOf(item))));
  const left = items.filter((item) => starred.has(item) || !others.has(nameOf(item)));
  for (const item of starred) {
    item.label = typeof item.label === 'string' ? `★ ${item.label}` : { ...item.label, label: `★ ${item.label.label}` };
  }
  return Array.isArray(completions) ? left : new vscode.CompletionList(left, completions.isIncomplete);
}
