/** Ghost text is drawn by VS Code. What is missing in its API is told to the server from here: shown, turned down, taken in part. */
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import type { Offer, Server } from './client';
import { after, type Offered } from './offered';

const CONTEXT = 'editahead.ghostOffered';
const SEEN = 500; // milliseconds on screen after which somebody can have read it

type Provide = NonNullable<Middleware['provideInlineCompletionItems']>;

export class Ghost implements vscode.Disposable {
  /** Set once, before the server starts. */
  server: Server | undefined;
  private offered: Offered | undefined;
  private document: vscode.TextDocument | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly listeners = [
    vscode.workspace.onDidChangeTextDocument((event) => this.changed(event)),
    vscode.window.onDidChangeTextEditorSelection((event) => this.moved(event)),
    vscode.window.onDidChangeActiveTextEditor(() => this.forget()),
    vscode.commands.registerCommand('editahead.ghost.reject', () => this.reject()),
  ];

  /** Between VS Code and the server: remembers what was offered. */
  readonly provide: Provide = async (document, position, context, token, next) => {
    const result = await next(document, position, context, token);
    if (token.isCancellationRequested || document !== vscode.window.activeTextEditor?.document) {
      return result;
    }
    const item = (Array.isArray(result) ? result : result?.items)?.[0];
    const id: unknown = item?.command?.arguments?.[0];
    this.forget();
    if (item && typeof item.insertText === 'string' && typeof id === 'string') {
      this.offer(document, { id, at: item.range?.start ?? position, text: item.insertText, taken: 0 });
    }
    return result;
  };

  /** Whether ghost text is on offer on a line of a document. */
  on(document: vscode.TextDocument, line: number): boolean {
    return this.document === document && this.offered?.at.line === line;
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.listeners).dispose();
  }

  private offer(document: vscode.TextDocument, offered: Offered): void {
    this.document = document;
    this.offered = offered;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.server?.tell('textDocument/didShowCompletion', item(offered)), SEEN);
    void vscode.commands.executeCommand('setContext', CONTEXT, true);
  }

  private forget(): void {
    clearTimeout(this.timer);
    if (this.offered) {
      this.offered = undefined;
      this.document = undefined;
      void vscode.commands.executeCommand('setContext', CONTEXT, false);
    }
  }

  private changed(event: vscode.TextDocumentChangeEvent): void {
    if (event.document !== this.document || !this.offered || event.contentChanges.length === 0) {
      return;
    }
    const { offered, partly } = after(this.offered, event.contentChanges);
    this.forget();
    if (!offered) {
      return;
    }
    this.offer(event.document, offered);
    if (partly) {
      this.server?.tell('textDocument/didPartiallyAcceptCompletion', item(offered), { acceptedLength: offered.taken });
    }
  }

  private moved(event: vscode.TextEditorSelectionChangeEvent): void {
    const byHand = event.kind === vscode.TextEditorSelectionChangeKind.Mouse || event.kind === vscode.TextEditorSelectionChangeKind.Command;
    const cursor = event.selections[0]?.active;
    const away = this.offered && (cursor?.line !== this.offered.at.line || cursor.character < this.offered.at.character);
    if (event.textEditor.document === this.document && byHand && away) {
      this.forget();
    }
  }

  private async reject(): Promise<void> {
    const { offered } = this;
    this.forget();
    await vscode.commands.executeCommand('editor.action.inlineSuggest.hide');
    if (offered) {
      this.server?.tell('editahead/didReject', item(offered));
    }
  }
}

function item(offered: Offered): Offer {
  return { command: { command: '', arguments: [offered.id] } };
}
