/** How things stand, in words. */
import type { Found } from './server/probe';

/** What the server said last (`didChangeStatus`). */
export interface Told {
  readonly busy: boolean;
  readonly kind: 'Normal' | 'Inactive' | 'Error';
  readonly message: string;
  readonly index?: { readonly files: number; readonly names: number; readonly building: number | null };
}

export interface ServerState {
  readonly kind: 'stopped' | 'starting' | 'running' | 'missing';
  readonly found?: Found | undefined;
  readonly told?: Told | undefined;
}

export const NOT_YET: ServerState = { kind: 'stopped', found: undefined, told: undefined };

/** A short word: ready, loading, starting, or what is wrong. */
export function word(state: ServerState): string {
  if (state.kind !== 'running') {
    return state.kind === 'missing' ? 'no server' : state.kind;
  }
  if (!state.told) {
    return 'starting';
  }
  return state.told.message || (state.told.busy ? 'loading' : 'ready');
}

/** Whether the server serves, but not with all that it should have: its message says what is left out. */
function damaged({ told }: ServerState): boolean {
  return told?.kind === 'Normal' && told.message !== '';
}

/** Whether something is wrong that the user should look at. */
export function broken(state: ServerState): boolean {
  return state.kind === 'missing' || state.told?.kind === 'Error' || damaged(state);
}

/** The text of the status bar item, with its icon. */
export function itemText(state: ServerState, languageOff: boolean): string {
  const said = word(state);
  if (broken(state)) {
    return `$(warning) editahead: ${said === 'no server' || damaged(state) ? said : 'no models'}`;
  }
  if (said === 'starting' || said === 'loading') {
    return `$(loading~spin) editahead: ${said}`;
  }
  if (said !== 'ready') {
    return `$(circle-slash) editahead: ${said}`;
  }
  return languageOff ? '$(circle-slash) editahead: off here' : '$(sparkle) editahead';
}

/** What a hover over the item says, line by line. */
export function itemDetails(state: ServerState, models: readonly string[], languageOff = false): string[] {
  const said = word(state);
  const lines = [`State: ${said === 'ready' && languageOff ? 'this language is switched off' : said}`];
  if (models.length > 0) {
    lines.push(`Model: ${models.join(', ')}`);
  }
  const index = state.told?.index;
  if (index) {
    const building = index.building === null ? '' : `, ${Math.round(100 * index.building)} % read`;
    lines.push(`Project: ${index.names} names in ${index.files} files${building}`);
  }
  if (state.found) {
    lines.push(`Server: ${state.found.version}, from ${state.found.from}`);
  }
  return lines;
}
