/** Edits of several files are shown in VS Code's refactor preview before they are applied. */
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';

/**
 * Let the preview open for an edit of several files; one of a single file stays as it is.
 *
 * The preview opens if a part of the edit needs confirmation, and leaves such parts unchecked: Apply would apply nothing. So what needs confirmation is the
 * creation of a file that exists, which does nothing and is not listed, and all text edits are checked.
 */
export function withPreview(edit: vscode.WorkspaceEdit, label: string): vscode.WorkspaceEdit {
  const changed = edit.entries().map(([uri]) => uri);
  const onDisk = changed.find((uri) => uri.scheme === 'file' || uri.scheme === 'vscode-remote');
  if (changed.length > 1 && onDisk) {
    edit.createFile(onDisk, { ignoreIfExists: true }, { label, needsConfirmation: true });
  }
  return edit;
}

/** Middleware: the same for code actions that are chosen from the menu. */
export const provideCodeActions: NonNullable<Middleware['provideCodeActions']> = async (document, range, context, token, next) => {
  const actions = await next(document, range, context, token);
  for (const action of actions ?? []) {
    if ('edit' in action && action.edit) {
      withPreview(action.edit, action.title);
    }
  }
  return actions;
};
