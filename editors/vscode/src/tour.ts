/** The tour: a walkthrough of five steps, suggested once. */
import * as vscode from 'vscode';

const OFFERED = 'tourOffered';

type Step = 'server' | 'ghost' | 'next' | 'why';
const done = new Set<Step>();

function setContext(name: string): void {
  void vscode.commands.executeCommand('setContext', name, true);
}

/** Tick a step of the walkthrough. VS Code sees only what happens after it has read the walkthrough: `openTour` repeats it. */
export function markDone(step: Step): void {
  if (!done.has(step)) {
    done.add(step);
    setContext(`editahead.done.${step}`);
  }
}

export async function openTour(context: vscode.ExtensionContext, step = ''): Promise<void> {
  const walkthrough = `${context.extension.id}#tour`;
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', step ? { category: walkthrough, step: `${walkthrough}#${step}` } : walkthrough);
  for (const each of done) {
    setContext(`editahead.tour.${each}`);
  }
}

/** When a server runs for the first time: one message that names the keys and offers the tour. */
export async function hintOnce(context: vscode.ExtensionContext): Promise<void> {
  if (context.globalState.get(OFFERED) || context.extensionMode === vscode.ExtensionMode.Test) {
    return;
  }
  await context.globalState.update(OFFERED, true);
  const tour = 'Take the Tour';
  const text = 'editahead: Tab accepts what is shown, Escape rejects it. Nothing enters your text without a key.';
  if ((await vscode.window.showInformationMessage(text, tour)) === tour) {
    await openTour(context);
  }
}
