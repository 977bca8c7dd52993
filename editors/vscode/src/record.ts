/** Recording a session to a file, for `editahead bench`. The server writes it; here it is asked for, and shown. */
import * as vscode from 'vscode';
import type { Server } from './client';

interface Begun {
  readonly path: string;
  readonly anonymised: boolean;
}

interface Ended {
  readonly path: string;
  readonly events: number;
}

const KINDS = [
  { label: 'Without its code', description: 'every name, text and number is replaced: it can be shared', anonymised: true },
  { label: 'With its code', description: 'all that stands in these files and all that you type', anonymised: false },
];

function say(text: string): void {
  void vscode.window.showInformationMessage(`editahead: ${text}`);
}

/** The commands, and a sign in the status bar for as long as something is recorded. */
export class Recording implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('editahead.recording', vscode.StatusBarAlignment.Right, 100);
  private client: Server['running'];
  private readonly watched: vscode.Disposable;

  constructor(private readonly server: Server) {
    this.item.name = 'editahead: recording';
    this.item.text = '$(record) recording';
    this.item.command = 'editahead.stopRecording';
    this.watched = server.onDidChange(() => {
      if (this.client && server.running !== this.client) {
        this.client = undefined; // the server that recorded is gone, and its recording with it
        this.item.hide();
      }
    });
  }

  async begin(): Promise<void> {
    const client = this.server.running;
    if (!client) {
      say('no server runs, so nothing can be recorded');
      return;
    }
    const kind = await vscode.window.showQuickPick(KINDS, { placeHolder: 'Record what you type in this workspace, for editahead bench' });
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const defaultUri = folder && vscode.Uri.joinPath(folder, 'session.jsonl');
    const file = kind && (await vscode.window.showSaveDialog({ title: 'Record to a new file', ...(defaultUri && { defaultUri }) }));
    if (!kind || !file) {
      return;
    }
    try {
      const words = [file.fsPath, kind.anonymised];
      const begun = await client.sendRequest<Begun>('workspace/executeCommand', { command: 'editahead.record', arguments: words });
      this.client = client;
      this.item.tooltip = `editahead records to ${begun.path}${begun.anonymised ? ', without code' : ''}. A click ends it.`;
      this.item.show();
    } catch (error) {
      say((error as Error).message);
    }
  }

  async end(): Promise<void> {
    this.client = undefined;
    this.item.hide();
    const ended = await this.server.execute<Ended | null>('editahead.stop-recording');
    say(ended ? `${ended.events} events were recorded to ${ended.path}` : 'nothing is recorded');
  }

  dispose(): void {
    this.watched.dispose();
    this.item.dispose();
  }
}
