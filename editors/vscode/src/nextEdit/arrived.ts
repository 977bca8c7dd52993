/** After an accepted edit that no other follows: one more Tab changes nothing, and a word says that it was the last. */
import * as vscode from 'vscode';
import type { Decorations } from './decorations';

const ARRIVED = 'editahead.nextEditArrived';

interface Arrival {
  readonly editor: vscode.TextEditor;
  readonly version: number;
  readonly at: vscode.Position;
  held: boolean;
}

export class Arrived {
  private arrival: Arrival | undefined;

  constructor(private readonly decorations: Decorations) {}

  /** An edit was applied, and the cursor stands behind it. */
  at(editor: vscode.TextEditor): void {
    this.leave();
    this.arrival = { editor, version: editor.document.version, at: editor.selection.active, held: false };
  }

  /** Nothing follows: the next Tab is taken, if the user is still where the last edit was applied. */
  hold(words: string): void {
    if (this.arrival && this.still(this.arrival)) {
      this.arrival.held = true;
      this.decorations.say(this.arrival.editor, words);
      void vscode.commands.executeCommand('setContext', ARRIVED, true);
    }
  }

  /** Tab, if it is ours: used up once, and nothing changes. */
  take(): boolean {
    const mine = this.arrival !== undefined && this.arrival.held && this.still(this.arrival);
    this.leave();
    return mine;
  }

  /** Leave, once the user has gone on. */
  look(): void {
    if (this.arrival && !this.still(this.arrival)) {
      this.leave();
    }
  }

  leave(): void {
    const { arrival } = this;
    this.arrival = undefined;
    if (arrival?.held) {
      this.decorations.say(arrival.editor, undefined);
      void vscode.commands.executeCommand('setContext', ARRIVED, false);
    }
  }

  private still({ editor, version, at }: Arrival): boolean {
    return vscode.window.activeTextEditor === editor && editor.document.version === version && editor.selection.active.isEqual(at);
  }
}
