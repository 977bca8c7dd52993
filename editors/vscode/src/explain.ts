/** The answer to `editahead/explain` as a page of text. */

import { gateWords } from './gates';

interface Surface {
  readonly shown: boolean;
  readonly probability?: number;
  readonly value?: unknown;
  /** Of a next edit. */
  readonly source?: string;
  readonly reason?: string;
  readonly detail?: string;
}

type Counts = Readonly<Record<string, number>>;

export interface Explanation {
  readonly languageId: string;
  readonly models: readonly string[];
  readonly gates: readonly { readonly reason: string; readonly passed: boolean; readonly value: string }[];
  readonly surfaces: Readonly<Record<string, Surface>>;
  /** What became of next edits, by surface, source and event. */
  readonly sources?: Readonly<Record<string, Readonly<Record<string, Counts>>>>;
}

/** The answer to `editahead/stats`: counts since the server started. */
export interface Stats {
  readonly surfaces: Readonly<Record<string, Readonly<Record<string, number | Readonly<Record<string, number>>>>>>;
}

const TITLES: Readonly<Record<string, string>> = { completion: 'Completions', inline: 'Ghost text', next_edit: 'Next edit' };
const MOST = 8; // completions that are listed

function percent(probability: number | undefined): string {
  return probability === undefined ? '' : `${Math.round(100 * probability)} %`;
}

function source(row: Readonly<Record<string, unknown>>): string {
  const line = typeof row['line'] === 'number' ? `, line ${row['line'] + 1}` : '';
  const where = typeof row['where'] === 'string' ? ` of ${row['where']}` : '';
  return typeof row['source'] === 'string' ? `${row['source']}${line}${where}` : '';
}

/** One line for each completion or token. */
function rows(values: readonly Readonly<Record<string, unknown>>[], name: string): string[] {
  return values.slice(0, MOST).map((row) => {
    const text = JSON.stringify(row[name] ?? '');
    const probability = typeof row['probability'] === 'number' ? percent(row['probability']) : '';
    return `  ${text.padEnd(28)} ${probability.padStart(5)}  ${source(row)}`.trimEnd();
  });
}

function surface(name: string, answer: Surface): string[] {
  const title = TITLES[name] ?? name;
  if (!answer.shown) {
    return [`${title}: nothing (${[answer.reason, answer.detail].filter(Boolean).join(': ')})`];
  }
  const lines = [`${title}: ${percent(answer.probability)}${answer.source ? `, source ${answer.source}` : ''}`];
  if (Array.isArray(answer.value)) {
    return [...lines, ...rows(answer.value as Record<string, unknown>[], 'label')];
  }
  if (typeof answer.value === 'string') {
    return [...lines, `  ${JSON.stringify(answer.value)}`];
  }
  const value = (answer.value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof value['insertText'] === 'string') {
    lines.push(`  ${JSON.stringify(value['insertText'])}, made up of`);
  }
  const tokens = value['tokens'];
  return Array.isArray(tokens) ? [...lines, ...rows(tokens as Record<string, unknown>[], 'text')] : lines;
}

/** Counts of what happened to suggestions since the server started. */
function tally({ surfaces }: Stats, sources: Readonly<Record<string, Counts>>): string {
  const lines = Object.entries(surfaces).map(([name, counts]) => {
    const parts = Object.entries(counts).flatMap(([what, count]) => (typeof count === 'number' ? [`${what} ${count}`] : []));
    return parts.length > 0 ? `  ${(TITLES[name] ?? name).padEnd(12)} ${parts.join(', ')}` : '';
  });
  for (const [source, counts] of Object.entries(sources)) {
    const parts = ['shown', 'accepted', 'rejected'].map((what) => `${what} ${counts[what] ?? 0}`);
    lines.push(`    from ${source.padEnd(10)} ${parts.join(', ')}`);
  }
  return ['Since the server started', ...lines.filter(Boolean)].join('\n');
}

/** The whole page. `place` names document and position; both numbers count from 1. */
export function explanationText(place: string, answer: Explanation, stats: Stats): string {
  const gates = answer.gates.map(({ reason, passed, value }) =>
    `  ${passed ? 'open  ' : 'CLOSED'}  ${gateWords(reason, passed).padEnd(20)} ${value}`.trimEnd(),
  );
  const models = answer.models.length > 0 ? answer.models.join(', ') : 'none';
  const answers = Object.entries(answer.surfaces).map(([name, each]) => surface(name, each).join('\n'));
  return [`${place} (${answer.languageId}, models: ${models})`, ['Gates', ...gates].join('\n'), ...answers, tally(stats, answer.sources?.['next_edit'] ?? {})].join('\n\n') + '\n';
}
