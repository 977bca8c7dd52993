/** VS Code draws ghost text; this notifies the server when it was shown, rejected or partly accepted, which the API does not report. */
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import type { OfferedItem, Server } from './client';
import { remainingOffers, type GhostTextOffer } from './ghostTextOffer';
import { markDone } from './tour';

const CONTEXT = 'editahead.ghostOffered';
const READ_DELAY = 500; // milliseconds on screen after which it counts as shown

type Provide = NonNullable<Middleware['provideInlineCompletionItems']>;

export class Ghost implements vscode.Disposable {
  /** Set once, before the server starts. */
  server: Server | undefined;
  /** Called when ghost text is offered. */
  onOffer: () => void = () => undefined;
  /** The offered text and its alternatives; VS Code does not tell which of them it shows. */
  private offers: readonly GhostTextOffer[] = [];
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
    const offers = (Array.isArray(result) ? result : (result?.items ?? [])).flatMap(({ insertText, range, command }) => {
      const id: unknown = command?.arguments?.[0];
      const at = range?.start ?? position;
      return typeof insertText === 'string' && typeof id === 'string' ? [{ id, at, text: insertText, acceptedLength: 0 }] : [];
    });
    this.forget();
    this.offer(document, offers);
    return result;
  };

  /** Whether ghost text is offered in a document. */
  offersIn(document: vscode.TextDocument): boolean {
    return this.document === document && this.offers.length > 0;
  }

  /** Whether ghost text is offered on a line of a document. */
  offersOn(document: vscode.TextDocument, line: number): boolean {
    return this.document === document && this.offers[0]?.at.line === line;
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.listeners).dispose();
  }

  private offer(document: vscode.TextDocument, offers: readonly GhostTextOffer[]): void {
    const [first] = offers;
    if (!first) {
      return;
    }
    this.document = document;
    this.offers = offers;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.server?.notify('textDocument/didShowCompletion', item(first)), READ_DELAY);
    void vscode.commands.executeCommand('setContext', CONTEXT, true);
    this.onOffer();
  }

  private forget(): void {
    clearTimeout(this.timer);
    if (this.offers.length > 0) {
      this.offers = [];
      this.document = undefined;
      void vscode.commands.executeCommand('setContext', CONTEXT, false);
    }
  }

  private changed(event: vscode.TextDocumentChangeEvent): void {
    if (event.document !== this.document || event.contentChanges.length === 0) {
      return;
    }
    if (this.offers.some(({ text }) => text === event.contentChanges[0]?.text)) {
      markDone('ghost');
    }
    const { offers, partiallyAccepted } = remainingOffers(this.offers, event.contentChanges);
    this.forget();
    this.offer(event.document, offers);
    const [first] = offers;
    if (first && partiallyAccepted) {
      this.server?.notify('textDocument/didPartiallyAcceptCompletion', item(first), { acceptedLength: first.acceptedLength });
    }
  }

  private moved(event: vscode.TextEditorSelectionChangeEvent): void {
    const byHand = event.kind === vscode.TextEditorSelectionChangeKind.Mouse || event.kind === vscode.TextEditorSelectionChangeKind.Command;
    const cursor = event.selections[0]?.active;
    const at = this.offers[0]?.at;
    const away = at && (cursor?.line !== at.line || cursor.character < at.character);
    if (event.textEditor.document === this.document && byHand && away) {
      this.forget();
    }
  }

  private async reject(): Promise<void> {
    const [first] = this.offers;
    this.forget();
    await vscode.commands.executeCommand('editor.action.inlineSuggest.hide');
    if (first) {
      this.server?.notify('editahead/didReject', item(first));
    }
  }
}

function item(offered: GhostTextOffer): OfferedItem {
  return { command: { command: '', arguments: [offered.id] } };
}
