/** The connection to the server: the only place where it is started, stopped and restarted. */
import * as vscode from 'vscode';
import { LanguageClient, State, type LanguageClientOptions, type Middleware, type StaticFeature } from 'vscode-languageclient/node';
import { provideCompletions } from './completions';
import { LANGUAGES } from './languages';
import { provideCodeActions } from './preview';
import { forServer, SECTION } from './settings';
import { neutralFolder } from './server/locate';
import type { LocatedServer } from './server/probe';
import { markDone } from './tour';
import { STOPPED, type ServerState, type ServerStatus } from './statusText';

const NOT_CANCELLED = new vscode.CancellationTokenSource().token; // without a token the library sends a list of parameters

/**
 * Client capabilities beyond the standard: a next edit may be in another file, open or not, or a place whose text nobody knows.
 * VS Code narrows a list by itself; one that it must request again would stay open meanwhile and take an Enter.
 */
const CAPABILITIES: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    const nextEdits = { nextEditElsewhere: true, nextEditUnopened: true, nextEditPlaces: true };
    capabilities.experimental = { editahead: { ...nextEdits, filtersCompletions: true } };
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

/** Documents that are synchronised with the server. */
export const SELECTOR = LANGUAGES.flatMap((language) =>
  ['file', 'untitled', 'vscode-notebook-cell'].map((scheme) => ({ language, scheme })),
);

/** An item that the server offered; the first argument of its command identifies it. */
export interface OfferedItem {
  readonly command?: { readonly command: string; readonly arguments?: readonly unknown[] };
}

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private readonly changes = new vscode.EventEmitter<ServerState>();
  /** Fires on every change of the state. */
  readonly onDidChange = this.changes.event;
  state: ServerState = STOPPED;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly ghost: NonNullable<Middleware['provideInlineCompletionItems']>,
  ) {}

  /** The running client, if there is one that answers. */
  get running(): LanguageClient | undefined {
    return this.client?.state === State.Running ? this.client : undefined;
  }

  setState(state: Partial<ServerState>): void {
    this.state = { ...this.state, ...state };
    this.changes.fire(this.state);
  }

  /** Start this server and stop the running one. Rejects if it does not start. */
  async start(found: LocatedServer): Promise<void> {
    await this.stop();
    this.setState({ ...STOPPED, kind: 'starting', found });
    this.log.info(`starting ${found.command.join(' ')} (${found.version}, from ${found.from})`);
    const [command = '', ...words] = found.command;
    const executable = { command, args: [...words, '--stdio'], options: { cwd: neutralFolder(this.context) } };
    const client = new LanguageClient('editahead', 'editahead', executable, this.options());
    this.client = client;
    client.registerFeature(CAPABILITIES);
    client.onNotification('didChangeStatus', (status: ServerStatus) => this.setState({ status }));
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped && this.client === client) {
        this.setState({ kind: 'stopped', status: undefined });
      } else if (newState === State.Running) {
        this.setState({ kind: 'running' });
        markDone('server');
      }
    });
    await client.start();
  }

  /** Stop the server; one that does not answer is killed after two seconds. */
  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.setState(STOPPED);
    await client?.dispose().catch((error: unknown) => this.log.warn(`the server did not stop: ${String(error)}`));
  }

  /** Send a request; undefined if no server is running or it answers with an error. */
  async request<Answer>(method: string, params: object, token = NOT_CANCELLED): Promise<Answer | undefined> {
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
    return this.request('workspace/executeCommand', { command, arguments: words });
  }

  /** Notify the server of what happened to an item. */
  notify(method: string, item: OfferedItem, more: object = {}): void {
    const id = item.command?.arguments?.[0];
    if (id !== undefined) {
      void this.running?.sendNotification(method, { item: { command: { arguments: [id] } }, ...more });
    }
  }

  /** The user accepted an item. */
  accept(item: OfferedItem): void {
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
      executeCommand: (command, words, next) => {
        if (String(words[0]).startsWith('inline-')) {
          markDone('ghost'); // VS Code runs the command of ghost text when it was accepted
        }
        return next(command, words);
      },
      provideCodeActions,
      provideCompletionItem: provideCompletions,
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
