/** Recording a session to a file for `editahead bench`. The server writes the file; this starts, stops and shows it. */
import * as vscode from 'vscode';
import type { Server } from './client';

interface RecordingStarted {
  readonly path: string;
  readonly anonymised: boolean;
}

interface RecordingStopped {
  readonly path: string;
  readonly events: number;
}

const KINDS = [
  { label: 'Without its code', description: 'every name, text and number is replaced: it can be shared', anonymised: true },
  { label: 'With its code', description: 'the contents of these files and everything that you type', anonymised: false },
];

function inform(text: string): void {
  void vscode.window.showInformationMessage(`editahead: ${text}`);
}

/** The commands, and a status bar item while a recording runs. */
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

  async start(): Promise<void> {
    const client = this.server.running;
    if (!client) {
      inform('no server is running, so nothing can be recorded');
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
      const started = await client.sendRequest<RecordingStarted>('workspace/executeCommand', { command: 'editahead.record', arguments: words });
      this.client = client;
      this.item.tooltip = `editahead records to ${started.path}${started.anonymised ? ', without code' : ''}. Click to stop.`;
      this.item.show();
    } catch (error) {
      inform((error as Error).message);
    }
  }

  async stop(): Promise<void> {
    this.client = undefined;
    this.item.hide();
    const stopped = await this.server.execute<RecordingStopped | null>('editahead.stop-recording');
    inform(stopped ? `${stopped.events} events were recorded to ${stopped.path}` : 'no recording is running');
  }

  dispose(): void {
    this.watched.dispose();
    this.item.dispose();
  }
}
