/** Absorbs one more Tab after the last of several next edits, so that a quick second press does not indent. */
import * as vscode from 'vscode';
import type { Decorations } from './decorations';

const CONTEXT = 'editahead.nextEditArrived';

interface AppliedEdit {
  readonly editor: vscode.TextEditor;
  readonly version: number;
  readonly at: vscode.Position;
  held: boolean;
}

export class TabAfterLastEdit {
  private applied: AppliedEdit | undefined;

  constructor(private readonly decorations: Decorations) {}

  /** An edit was applied, and the cursor is at its end. */
  editApplied(editor: vscode.TextEditor): void {
    this.release();
    this.applied = { editor, version: editor.document.version, at: editor.selection.active, held: false };
  }

  /** No edit follows: absorb the next Tab if neither text nor cursor has changed since the last one. */
  holdTab(text: string): void {
    if (this.applied && this.isUnchanged(this.applied)) {
      this.applied.held = true;
      this.decorations.showHint(this.applied.editor, text);
      void vscode.commands.executeCommand('setContext', CONTEXT, true);
    }
  }

  /** Whether this Tab is absorbed; only the first one is. */
  consumeTab(): boolean {
    const held = this.applied !== undefined && this.applied.held && this.isUnchanged(this.applied);
    this.release();
    return held;
  }

  /** Release Tab if text or cursor has changed. */
  update(): void {
    if (this.applied && !this.isUnchanged(this.applied)) {
      this.release();
    }
  }

  release(): void {
    const { applied } = this;
    this.applied = undefined;
    if (applied?.held) {
      this.decorations.showHint(applied.editor, undefined);
      void vscode.commands.executeCommand('setContext', CONTEXT, false);
    }
  }

  private isUnchanged({ editor, version, at }: AppliedEdit): boolean {
    return vscode.window.activeTextEditor === editor && editor.document.version === version && editor.selection.active.isEqual(at);
  }
}
