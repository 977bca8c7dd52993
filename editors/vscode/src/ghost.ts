/** VS Code draws ghost text; this notifies the server when it was shown, rejected or partly accepted, which the API does not report. */
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import type { OfferedItem, Server } from './client';
import { afterChanges, remainingOffers, type GhostTextOffer } from './ghostTextOffer';
import { markDone } from './tour';

const CONTEXT = 'editahead.ghostOffered';
const READ_DELAY = 500; // milliseconds on screen after which it counts as shown

type Provide = NonNullable<Middleware['provideInlineCompletionItems']>;

export class Ghost implements vscode.Disposable {
  /** Set once, before the server starts. */
  server: Server | undefined;
  /** Called when ghost text is offered. */
  onOffer: () => void = () => undefined;
  /** The offered text and its alternatives. */
  private offers: readonly GhostTextOffer[] = [];
  /** Index of the alternative on screen, which VS Code does not tell: the keys for alternatives are followed. */
  private shown = 0;
  /** The last key for alternatives: VS Code may request them all before it shows the next one. */
  private step: { readonly from: GhostTextOffer; readonly by: number } | undefined;
  private document: vscode.TextDocument | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly listeners = [
    vscode.workspace.onDidChangeTextDocument((event) => this.changed(event)),
    vscode.window.onDidChangeTextEditorSelection((event) => this.moved(event)),
    vscode.window.onDidChangeActiveTextEditor(() => this.forget()),
    vscode.commands.registerCommand('editahead.ghost.reject', () => this.reject()),
    vscode.commands.registerCommand('editahead.ghost.next', () => this.showOther('showNext', 1)),
    vscode.commands.registerCommand('editahead.ghost.previous', () => this.showOther('showPrevious', -1)),
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
    const { step } = this;
    const before = step?.from ?? this.offers[this.shown];
    this.forget();
    this.offer(document, offers, before);
    if (step && offers.length > 0 && context.triggerKind === vscode.InlineCompletionTriggerKind.Invoke) {
      this.shown = (this.shown + step.by + offers.length) % offers.length;
    }
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

  /** `before`: the text on screen, which stays there if it is offered again. */
  private offer(document: vscode.TextDocument, offers: readonly GhostTextOffer[], before?: GhostTextOffer): void {
    this.document = document;
    this.offers = offers;
    this.shown = Math.max(0, offers.findIndex((each) => before && isSameText(each, before)));
    const shown = offers[this.shown];
    if (!shown) {
      this.document = undefined;
      return;
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.server?.notify('textDocument/didShowCompletion', item(shown)), READ_DELAY);
    void vscode.commands.executeCommand('setContext', CONTEXT, true);
    this.onOffer();
  }

  private forget(): void {
    clearTimeout(this.timer);
    this.step = undefined;
    if (this.offers.length > 0) {
      this.offers = [];
      this.shown = 0;
      this.document = undefined;
      void vscode.commands.executeCommand('setContext', CONTEXT, false);
    }
  }

  private changed(event: vscode.TextDocumentChangeEvent): void {
    if (event.document !== this.document || event.contentChanges.length === 0) {
      return;
    }
    const { offers, partiallyAccepted } = remainingOffers(this.offers, event.contentChanges);
    const before = this.offers[this.shown];
    this.forget();
    this.offer(event.document, offers, before && afterChanges(before, event.contentChanges).offered);
    const shown = offers[this.shown];
    if (shown && partiallyAccepted) {
      markDone('ghost');
      this.server?.notify('textDocument/didPartiallyAcceptCompletion', item(shown), { acceptedLength: shown.acceptedLength });
    }
  }

  /** Show another alternative. */
  private async showOther(command: 'showNext' | 'showPrevious', by: number): Promise<void> {
    const from = this.offers[this.shown];
    if (from) {
      this.step = { from, by };
      this.shown = (this.shown + by + this.offers.length) % this.offers.length;
    }
    await vscode.commands.executeCommand(`editor.action.inlineSuggest.${command}`);
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
    const shown = this.offers[this.shown];
    this.forget();
    await vscode.commands.executeCommand('editor.action.inlineSuggest.hide');
    if (shown) {
      this.server?.notify('editahead/didReject', item(shown));
    }
  }
}

function isSameText(one: GhostTextOffer, other: GhostTextOffer): boolean {
  return one.text === other.text && one.at.line === other.at.line && one.at.character === other.at.character;
}

function item(offered: GhostTextOffer): OfferedItem {
  return { command: { command: '', arguments: [offered.id] } };
}
