/** The status bar item. */
import * as vscode from 'vscode';
import type { Server } from './client';
import { LANGUAGES } from './languages';
import { SECTION } from './settings';
import { needsAttention, itemDetails, itemText } from './statusText';

interface Explained {
  readonly models?: readonly string[];
}

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('editahead.status', vscode.StatusBarAlignment.Right, 100);
  private readonly models = new Map<string, readonly string[]>();
  private readonly listeners: vscode.Disposable[];

  constructor(private readonly server: Server) {
    this.item.name = 'editahead';
    this.item.command = 'editahead.menu';
    this.listeners = [
      server.onDidChange((state) => {
        if (state.kind !== 'running' || state.status?.busy) {
          this.models.clear();
        }
        this.refresh();
      }),
      vscode.window.onDidChangeActiveTextEditor(() => this.refresh()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SECTION)) {
          this.refresh();
        }
      }),
    ];
    this.refresh();
  }

  dispose(): void {
    vscode.Disposable.from(this.item, ...this.listeners).dispose();
  }

  private refresh(): void {
    const state = this.server.state;
    const document = vscode.window.activeTextEditor?.document;
    const served = document !== undefined && LANGUAGES.includes(document.languageId);
    if (!served && !needsAttention(state) && state.kind !== 'installing') {
      this.item.hide();
      return;
    }
    const languages = vscode.workspace.getConfiguration(SECTION).get<Record<string, boolean>>('languages', {});
    const off = served && !(languages[document.languageId] ?? languages['*'] ?? true);
    this.item.text = itemText(state, off);
    const models = document ? (this.models.get(document.languageId) ?? []) : [];
    this.item.tooltip = new vscode.MarkdownString(itemDetails(state, models, off).join('  \n'));
    this.item.backgroundColor = needsAttention(state) ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.item.show();
    if (served) {
      void this.learnModels(document);
    }
  }

  /** Once for each language, when all is loaded. */
  private async learnModels(document: vscode.TextDocument): Promise<void> {
    const { status } = this.server.state;
    const language = document.languageId;
    if (!status || status.busy || this.models.has(language)) {
      return;
    }
    this.models.set(language, []);
    const place = { textDocument: { uri: document.uri.toString() }, position: { line: 0, character: 0 } };
    const answer = await this.server.request<Explained>('editahead/explain', place);
    if (answer?.models && answer.models.length > 0) {
      this.models.set(language, answer.models);
      this.refresh();
    }
  }
}
