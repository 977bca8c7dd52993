/** Documents that may be cells of a notebook: VS Code opens the notebook and not the cell. */
import * as vscode from 'vscode';

/** Milliseconds until a cell that is opened has the focus; it may have to be drawn first. */
const FOCUSED_WITHIN = 5000;

/** The cell whose text a document is. */
export function cellOf(document: vscode.TextDocument): vscode.NotebookCell | undefined {
  return vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells()).find((cell) => cell.document === document);
}

/** Show a document in its editor, or in its cell, with the cursor at a position; undefined if the cell does not get the focus. */
export async function showAt(document: vscode.TextDocument, at: vscode.Position): Promise<vscode.TextEditor | undefined> {
  const cell = cellOf(document);
  if (!cell) {
    const seen = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
    const column = seen?.viewColumn ? { viewColumn: seen.viewColumn } : {};
    return vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at), ...column });
  }
  const selections = [new vscode.NotebookRange(cell.index, cell.index + 1)];
  const seen = vscode.window.visibleNotebookEditors.find((editor) => editor.notebook === cell.notebook);
  const column = seen?.viewColumn ? { viewColumn: seen.viewColumn } : {};
  await vscode.window.showNotebookDocument(cell.notebook, { selections, ...column });
  const focused = focusedIn(document);
  await vscode.commands.executeCommand('notebook.cell.edit');
  const editor = await focused;
  if (editor) {
    editor.selection = new vscode.Selection(at, at);
  }
  return editor;
}

/** The editor of a document once it has the focus. */
function focusedIn(document: vscode.TextDocument): Promise<vscode.TextEditor | undefined> {
  return new Promise((resolve) => {
    const look = (editor = vscode.window.activeTextEditor): void => {
      if (editor?.document === document) {
        finish(editor);
      }
    };
    const listener = vscode.window.onDidChangeActiveTextEditor(look);
    const timer = setTimeout(() => finish(undefined), FOCUSED_WITHIN);
    const finish = (editor: vscode.TextEditor | undefined): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve(editor);
    };
    look();
  });
}
