/** Read-only pages of text, shown beside the editor. */
import * as vscode from 'vscode';

const SCHEME = 'editahead';

export class Pages implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: this.changes.event,
    provideTextDocumentContent: (uri) => this.texts.get(uri.path) ?? '',
  });

  /** Show a page; one with the same title is replaced. */
  async show(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/editahead ${title}` });
    this.texts.set(uri.path, text);
    this.changes.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    const options = { preview: true, preserveFocus: true, viewColumn: vscode.ViewColumn.Beside };
    await vscode.window.showTextDocument(document, options);
  }

  dispose(): void {
    vscode.Disposable.from(this.registration, this.changes).dispose();
  }
}
