/**
 * Lists of completions for the place where the cursor still is, and for no other.
 *
 * While VS Code waits for a list, an older one stays open, and Enter replaces all that was typed since by an item of
 * it. So a request ends without items as soon as anything but letters of its word is typed; VS Code then closes the list.
 */
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { isCollecting, namesOfOthers, withoutShared } from './sharedCompletions';
import { wordContinued } from './typedWord';

type Provide = NonNullable<Middleware['provideCompletionItem']>;

export const provideCompletions: Provide = async (document, position, context, token, next) => {
  if (isCollecting(document, position)) {
    return [];
  }
  const cancellation = new vscode.CancellationTokenSource();
  const listeners: vscode.Disposable[] = [cancellation, token.onCancellationRequested(() => cancellation.cancel())];
  const left = new Promise<undefined>((leave) => {
    let cursor: ReturnType<typeof wordContinued> = position;
    listeners.push(
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document && cursor && event.contentChanges.length > 0) {
          cursor = wordContinued(cursor, event.contentChanges);
          if (!cursor) {
            leave(undefined);
            cancellation.cancel();
          }
        }
      }),
    );
  });
  try {
    const others = namesOfOthers(document, position, context.triggerCharacter);
    const ours = await Promise.race([next(document, position, context, cancellation.token), left]);
    return withoutShared(ours, ours ? await others : new Set());
  } finally {
    vscode.Disposable.from(...listeners).dispose();
  }
};
