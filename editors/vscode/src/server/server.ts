/** Starts and restarts the server, and passes requests and notifications. */

import * as vscode from 'vscode';
import { State, type GenericNotificationHandler, type LanguageClient, type Middleware } from 'vscode-languageclient/node';

import { programSetting } from '../settings';
import { createClient } from './client';
import { Crashes } from './crashes';
import { findProgram, type Program } from './program';
import { ServerProcess } from './process';
import { protocolMismatch } from './version';

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private process: ServerProcess | undefined;
  private crashes = new Crashes();
  private readonly handlers = new Map<string, GenericNotificationHandler>();
  private readonly up = new vscode.EventEmitter<void>();
  private readonly down = new vscode.EventEmitter<void>();
  /** Starts and stops run one after the other. */
  private turn: Promise<void> = Promise.resolve();

  /** Fires when the server has started or restarted. */
  readonly onUp = this.up.event;
  /** Fires when the server has stopped. */
  readonly onDown = this.down.event;

  constructor(
    private readonly extensionFolder: string,
    private readonly log: vscode.LogOutputChannel,
    private readonly middleware: Middleware,
  ) {}

  /** Whether the server accepts requests. */
  get isUp(): boolean {
    return this.client?.state === State.Running;
  }

  /** Sends a request; throws if the server is not running or responds with an error. */
  async request<R>(method: string, params: object): Promise<R> {
    if (this.client === undefined || !this.isUp) {
      throw new Error('The language server is not running; see "Eval: Show status"');
    }
    return this.client.sendRequest<R>(method, params);
  }

  /** Runs a command of the server. Unlike a click on a lens, it throws the server's error. */
  execute<R>(command: string, argument: object): Promise<R> {
    return this.request<R>('workspace/executeCommand', { command, arguments: [argument] });
  }

  notify(method: string, params: object): void {
    if (this.isUp) {
      void this.client?.sendNotification(method, params);
    }
  }

  /** Has VS Code request the lenses of a document again. */
  refreshLenses(document: vscode.TextDocument): void {
    if (this.isUp) {
      this.client?.getFeature('textDocument/codeLens').getProvider(document)?.onDidChangeCodeLensEmitter.fire();
    }
  }

  /** Handles a notification, also after restarts. Each method has one handler. */
  on(method: string, handler: GenericNotificationHandler): void {
    this.handlers.set(method, handler);
    this.client?.onNotification(method, handler);
  }

  start(): Promise<void> {
    return this.inTurn(() => this.startNow());
  }

  restart(): Promise<void> {
    return this.inTurn(async () => {
      await this.stopNow();
      this.crashes = new Crashes();
      await this.startNow();
    });
  }

  stop(): Promise<void> {
    return this.inTurn(() => this.stopNow());
  }

  dispose(): void {
    this.up.dispose();
    this.down.dispose();
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(work, work);
    return this.turn;
  }

  private async startNow(): Promise<void> {
    let program: Program;
    try {
      program = await findProgram({
        setting: programSetting(),
        extensionFolder: this.extensionFolder,
        workspaceFolder: folder(),
      });
    } catch (error) {
      this.complain(error instanceof Error ? error.message : String(error));
      return;
    }
    this.log.info(`${program.path} is eval-ls ${program.version} (by ${program.by})`);
    const client = createClient({
      log: this.log,
      start: () => (this.process = new ServerProcess(program.path, folder())),
      crashed: () => this.crashed(),
      middleware: this.middleware,
    });
    client.onDidChangeState(({ oldState, newState }) => {
      if (newState === State.Running) {
        this.up.fire();
      } else if (oldState === State.Running) {
        this.down.fire();
      }
    });
    this.handlers.forEach((handler, method) => client.onNotification(method, handler));
    this.client = client;
    try {
      await client.start();
      const mismatch = protocolMismatch(client.initializeResult?.capabilities.experimental);
      if (mismatch !== undefined) {
        this.complain(mismatch);
      }
    } catch (error) {
      this.log.error(`the server did not start: ${String(error)}`);
      this.complain(`${program.path} did not start as a language server: it ${(await this.ended()) ?? `returned an error: ${String(error)}`}.`);
    }
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.needsStop() === true) {
      await client.stop().catch((error: unknown) => { this.log.warn(`the server did not stop cleanly: ${String(error)}`); });
    }
    await client?.dispose().catch(() => undefined);
  }

  private async crashed(): Promise<boolean> {
    const reason = (await this.ended()) ?? 'closed its connection';
    const restarts = this.crashes.mayRestart(Date.now());
    const message = `The eval-ls server ${reason}.`;
    this.log.error(message);
    if (restarts) {
      void this.offer(vscode.window.showWarningMessage(`${message} It was restarted.`, 'Show log'));
    } else {
      void this.offer(vscode.window.showErrorMessage(`${message} It crashed too often and will not be restarted.`, 'Restart', 'Show log'));
    }
    return restarts;
  }

  private complain(message: string): void {
    this.log.error(message);
    void this.offer(vscode.window.showErrorMessage(message, 'Open setting', 'Restart', 'Show log'));
  }

  private async offer(shown: Thenable<string | undefined>): Promise<void> {
    switch (await shown) {
      case 'Open setting':
        await openSetting('eval-ls.server.path');
        break;
      case 'Restart':
        await this.restart();
        break;
      case 'Show log':
        this.log.show();
    }
  }

  /** The reason why the process ended, or `undefined` if it does not end within a second. */
  private ended(): Promise<string | undefined> {
    const patience = new Promise<undefined>((resolve) => setTimeout(resolve, 1000, undefined));
    return Promise.race([this.process?.reason(), patience]);
  }
}

function folder(): string | undefined {
  return vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
}

/** On a remote machine, the program and its setting are those of that machine. */
async function openSetting(name: string): Promise<void> {
  const settings = vscode.env.remoteName === undefined ? 'workbench.action.openSettings' : 'workbench.action.openRemoteSettings';
  await vscode.commands.executeCommand(settings, { query: `@id:${name}` });
}
