/** The connection to the server: started, stopped and started anew here and nowhere else. */
import * as vscode from 'vscode';
import { LanguageClient, State, type LanguageClientOptions, type Middleware, type StaticFeature } from 'vscode-languageclient/node';
import { forServer, SECTION } from './settings';
import { neutralFolder } from './server/locate';
import type { Found } from './server/probe';
import { NOT_YET, type ServerState, type Told } from './statusOf';

const NEVER = new vscode.CancellationTokenSource().token; // without a token the library sends a list of parameters

/** What this extension can do that no standard capability names: go to a next edit in another file. */
const ABLE: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    capabilities.experimental = { editahead: { nextEditElsewhere: true } };
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

export const LANGUAGES = ['python', 'java'];

/** Documents that the server is told of. */
export const SELECTOR = LANGUAGES.flatMap((language) =>
  ['file', 'untitled'].map((scheme) => ({ language, scheme })),
);

/** A command of the server about one item that it offered. */
export interface Offer {
  readonly command?: { readonly command: string; readonly arguments?: readonly unknown[] };
}

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private readonly changes = new vscode.EventEmitter<ServerState>();
  /** Fires whenever something changes that the user could see. */
  readonly onDidChange = this.changes.event;
  state: ServerState = NOT_YET;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly ghost: NonNullable<Middleware['provideInlineCompletionItems']>,
  ) {}

  /** The running client, if there is one that answers. */
  get running(): LanguageClient | undefined {
    return this.client?.state === State.Running ? this.client : undefined;
  }

  become(state: Partial<ServerState>): void {
    this.state = { ...this.state, ...state };
    this.changes.fire(this.state);
  }

  /** Start this server in place of the one that runs. Rejects when it does not come up. */
  async start(found: Found): Promise<void> {
    await this.stop();
    this.become({ ...NOT_YET, kind: 'starting', found });
    this.log.info(`starting ${found.command.join(' ')} (${found.version}, from ${found.from})`);
    const [command = '', ...words] = found.command;
    const executable = { command, args: [...words, '--stdio'], options: { cwd: neutralFolder(this.context) } };
    const client = new LanguageClient('editahead', 'editahead', executable, this.options());
    this.client = client;
    client.registerFeature(ABLE);
    client.onNotification('didChangeStatus', (told: Told) => this.become({ told }));
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped && this.client === client) {
        this.become({ kind: 'stopped', told: undefined });
      } else if (newState === State.Running) {
        this.become({ kind: 'running' });
      }
    });
    await client.start();
  }

  /** Stop the server; one that does not answer is killed after two seconds. */
  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.become(NOT_YET);
    await client?.dispose().catch((error: unknown) => this.log.warn(`the server did not stop: ${String(error)}`));
  }

  /** Ask; undefined when no server runs or it could not answer. */
  async ask<Answer>(method: string, params: object, token = NEVER): Promise<Answer | undefined> {
    try {
      return await this.running?.sendRequest<Answer>(method, params, token);
    } catch (error) {
      if (!token.isCancellationRequested) {
        this.log.warn(`${method}: ${(error as Error).message}`);
      }
      return undefined;
    }
  }

  /** Run a command of the server. */
  execute<Answer>(command: string, ...words: unknown[]): Promise<Answer | undefined> {
    return this.ask('workspace/executeCommand', { command, arguments: words });
  }

  /** Tell the server what became of an item. */
  tell(method: string, item: Offer, more: object = {}): void {
    const id = item.command?.arguments?.[0];
    if (id !== undefined) {
      void this.running?.sendNotification(method, { item: { command: { arguments: [id] } }, ...more });
    }
  }

  /** The user took an item. */
  accepted(item: Offer): void {
    if (item.command) {
      void this.execute(item.command.command, ...(item.command.arguments ?? []));
    }
  }

  dispose(): void {
    void this.stop();
    this.changes.dispose();
  }

  private options(): LanguageClientOptions {
    const middleware: Middleware = {
      provideInlineCompletionItems: this.ghost,
      workspace: {
        configuration: (params) => params.items.map((item) => (item.section === SECTION ? forServer() : null)),
        didChangeConfiguration: async () => {
          await this.running?.sendNotification('workspace/didChangeConfiguration', { settings: { [SECTION]: forServer() } });
        },
      },
    };
    return { documentSelector: SELECTOR, initializationOptions: forServer(), outputChannel: this.log, middleware };
  }
}
