/** The settings section `editahead`: the part for the server and the part for this extension. */
import * as vscode from 'vscode';
import { languagesAfterToggle, serverSettings } from './settingValues';

export const SECTION = 'editahead';

/** All settings of the server, as it reads them. */
export function forServer(): Record<string, unknown> {
  return serverSettings(vscode.workspace.getConfiguration().get<Record<string, unknown>>(SECTION, {}));
}

/** Milliseconds from a change to the request for the next edit. */
export function nextEditDelay(): number {
  return vscode.workspace.getConfiguration(SECTION).get<number>('editor.nextEditDelay', 250);
}

/** Whether a hint after the cursor's line names the place of a next edit that is off screen. */
export function hintWanted(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get<boolean>('editor.nextEditHint', true);
}

/** What becomes of completions that another extension offers as well. */
export function sharedCompletions(): 'star' | 'show' {
  return vscode.workspace.getConfiguration(SECTION).get<'star' | 'show'>('editor.sharedCompletions', 'star');
}

/** Whether screen readers are told of next edits: VS Code's own setting for its next edits. */
export function announcesNextEdits(): boolean {
  const signal = vscode.workspace.getConfiguration('accessibility.signals').get<{ readonly announcement?: string }>('nextEditSuggestion');
  return signal?.announcement !== 'off';
}

/** Whether a change of the settings requires a restart of the server. */
export function asksForRestart(event: vscode.ConfigurationChangeEvent): boolean {
  const once = ['server', 'positionEncoding', 'copilotCompatible'];
  return once.some((key) => event.affectsConfiguration(`${SECTION}.${key}`));
}

/** Switch a language on or off for this user; returns whether it is on now. */
export async function toggleLanguage(languageId: string): Promise<boolean> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const { languages, enabled } = languagesAfterToggle(settings.get<Record<string, boolean>>('languages', {}), languageId);
  const inspected = settings.inspect('languages');
  const inWorkspace = inspected?.workspaceValue !== undefined; // it would win over the user's own
  await settings.update('languages', languages, inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
  return enabled;
}
