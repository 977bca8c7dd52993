/** The state of the server as text. */
import type { LocatedServer } from './server/probe';

/** The last status that the server reported (`didChangeStatus`). */
export interface ServerStatus {
  readonly busy: boolean;
  readonly kind: 'Normal' | 'Inactive' | 'Error';
  readonly message: string;
  readonly index?: { readonly files: number; readonly names: number; readonly building: number | null };
}

export interface ServerState {
  readonly kind: 'stopped' | 'installing' | 'starting' | 'running' | 'missing';
  readonly found?: LocatedServer | undefined;
  readonly status?: ServerStatus | undefined;
}

export const STOPPED: ServerState = { kind: 'stopped', found: undefined, status: undefined };

/** A short label: ready, loading, starting, installing, or the problem. */
export function stateLabel(state: ServerState): string {
  if (state.kind !== 'running') {
    return state.kind === 'missing' ? 'no server' : state.kind;
  }
  if (!state.status) {
    return 'starting';
  }
  return state.status.message || (state.status.busy ? 'loading' : 'ready');
}

/** Whether the server is running with something left out, which its message names. */
function isDegraded({ status }: ServerState): boolean {
  return status?.kind === 'Normal' && status.message !== '';
}

/** Whether there is a problem that the user should know of. */
export function needsAttention(state: ServerState): boolean {
  return state.kind === 'missing' || state.status?.kind === 'Error' || isDegraded(state);
}

/** The text of the status bar item, with its icon. */
export function itemText(state: ServerState, languageOff: boolean): string {
  const label = stateLabel(state);
  if (needsAttention(state)) {
    return `$(warning) editahead: ${label === 'no server' || isDegraded(state) ? label : 'no models'}`;
  }
  if (label === 'installing' || label === 'starting' || label === 'loading') {
    return `$(loading~spin) editahead: ${label}`;
  }
  if (label !== 'ready') {
    return `$(circle-slash) editahead: ${label}`;
  }
  return languageOff ? '$(circle-slash) editahead: off here' : '$(sparkle) editahead';
}

/** The lines of the status bar item's hover. */
export function itemDetails(state: ServerState, models: readonly string[], languageOff = false): string[] {
  const label = stateLabel(state);
  const lines = [`State: ${label === 'ready' && languageOff ? 'this language is switched off' : label}`];
  if (models.length > 0) {
    lines.push(`Model: ${models.join(', ')}`);
  }
  const index = state.status?.index;
  if (index) {
    const building = index.building === null ? '' : `, ${Math.round(100 * index.building)} % read`;
    lines.push(`Project: ${index.names} names in ${index.files} files${building}`);
  }
  if (state.found) {
    lines.push(`Server: ${state.found.version}, from ${state.found.from}`);
  }
  return lines;
}
