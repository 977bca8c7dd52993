/** VS Code draws ghost text; this notifies the server when it was shown, rejected or partly accepted, which the API does not report. */
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import type { OfferedItem, Server } from './client';
import { afterChanges, type GhostTextOffer } from './ghostTextOffer';

const CONTEXT = 'editahead.ghostOffered';
const READ_DELAY = 500; // milliseconds on screen after which it counts as shown

type Provide = NonNullable<Middleware['provideInlineCompletionItems']>;

export class Ghost implements vscode.Disposable {
  /** Set once, before the server starts. */
  server: Server | undefined;
  private offered: GhostTextOffer | undefined;
  private document: vscode.TextDocument | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly listeners = [
    vscode.workspace.onDidChangeTextDocument((event) => this.changed(event)),
    vscode.window.onDidChangeTextEditorSelection((event) => this.moved(event)),
    vscode.window.onDidChangeActiveTextEditor(() => this.forget()),
    vscode.commands.registerCommand('editahead.ghost.reject', () => this.reject()),
  ];

  /** Middleware that remembers what was offered. */
  readonly provide: Provide = async (document, position, context, token, next) => {
    const result = await next(document, position, context, token);
    if (token.isCancellationRequested || document !== vscode.window.activeTextEditor?.document) {
      return result;
    }
    const item = (Array.isArray(result) ? result : result?.items)?.[0];
    const id: unknown = item?.command?.arguments?.[0];
    this.forget();
    if (item && typeof item.insertText === 'string' && typeof id === 'string') {
      this.offer(document, { id, at: item.range?.start ?? position, text: item.insertText, acceptedLength: 0 });
    }
    return result;
  };

  /** Whether ghost text is offered on a line of a document. */
  offersOn(document: vscode.TextDocument, line: number): boolean {
    return this.document === document && this.offered?.at.line === line;
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.listeners).dispose();
  }

  private offer(document: vscode.TextDocument, offered: GhostTextOffer): void {
    this.document = document;
    this.offered = offered;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.server?.notify('textDocument/didShowCompletion', item(offered)), READ_DELAY);
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
    const { offered, partiallyAccepted } = afterChanges(this.offered, event.contentChanges);
    this.forget();
    if (!offered) {
      return;
    }
    this.offer(event.document, offered);
    if (partiallyAccepted) {
      this.server?.notify('textDocument/didPartiallyAcceptCompletion', item(offered), { acceptedLength: offered.acceptedLength });
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
      this.server?.notify('editahead/didReject', item(offered));
    }
  }
}

function item(offered: GhostTextOffer): OfferedItem {
  return { command: { command: '', arguments: [offered.id] } };
}
