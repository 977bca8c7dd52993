/** The tour: a walkthrough of five steps, suggested once. */
import * as vscode from 'vscode';

const OFFERED = 'tourOffered';

export async function openTour(context: vscode.ExtensionContext, step = ''): Promise<void> {
  const walkthrough = `${context.extension.id}#tour`;
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', step ? { category: walkthrough, step: `${walkthrough}#${step}` } : walkthrough);
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
