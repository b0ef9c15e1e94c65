/** The analysis in a worker, and its client. */

import * as vscode from 'vscode';
import { BrowserMessageReader, BrowserMessageWriter, LanguageClient, RevealOutputChannelOn, type Middleware } from 'vscode-languageclient/browser';

import type { Requests } from '../server/requests';
import { CONFIG, LANGUAGE, SECTION, serverOptions } from '../settings';
import { toAnalysis, toEditor, withShortPaths } from './addresses';
import type { Written } from './files';

export class Analysis implements Requests {
  readonly client: LanguageClient;
  private worker: Worker | undefined;

  /** `started` is called before a client connects to a new worker. */
  constructor(extension: vscode.Uri, log: vscode.LogOutputChannel, middleware: Middleware, started: () => Promise<void>) {
    const connect = async (): Promise<{ reader: BrowserMessageReader; writer: BrowserMessageWriter }> => {
      this.worker?.terminate();
      this.worker = await startWorker(vscode.Uri.joinPath(extension, 'dist'));
      await started();
      return { reader: new BrowserMessageReader(this.worker), writer: new BrowserMessageWriter(this.worker) };
    };
    this.client = new LanguageClient(SECTION, 'Eval Suites', connect, {
      documentSelector: [{ language: LANGUAGE }, CONFIG, { language: 'json' }],
      outputChannel: log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: () => ({ ...settings(), trusted: false, runEvents: true }),
      uriConverters: { code2Protocol: toAnalysis, protocol2Code: toEditor },
      middleware,
    });
  }

  async request<R>(method: string, params: object): Promise<R> {
    const result = withUri(await this.client.sendRequest<object | null>(method, forAnalysis(params)), (uri) => toEditor(uri).toString());
    return (result !== null && 'text' in result ? { ...result, text: withShortPaths(String(result.text)) } : result) as R;
  }

  /** Runs a command of the analysis. */
  execute<R>(command: string, argument: object): Promise<R> {
    return this.request<R>('workspace/executeCommand', { command, arguments: [forAnalysis(argument)] });
  }

  write(files: Written[]): void {
    this.worker?.postMessage({ jsonrpc: '2.0', method: 'eval-ls/write', params: { files } });
  }

  async restart(): Promise<void> {
    // An analysis that has stopped refuses the request.
    await this.client.stop().catch(() => undefined);
    this.client.diagnostics?.clear();
    await this.client.start();
  }

  async stop(): Promise<void> {
    await this.client.stop().catch(() => undefined);
    this.worker?.terminate();
  }
}

/** Each editor lets an extension read its own files, but not each lets it start a worker from their addresses. */
async function startWorker(folder: vscode.Uri): Promise<Worker> {
  const read = (name: string): Thenable<Uint8Array<ArrayBuffer>> =>
    vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, name)) as Thenable<Uint8Array<ArrayBuffer>>;
  const [script, module] = await Promise.all([read('worker.js'), read('eval_ls.wasm').then((bytes) => WebAssembly.compile(bytes))]);
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const worker = new Worker(address);
  worker.postMessage({ jsonrpc: '2.0', method: 'eval-ls/start', params: { module } });
  return worker;
}

/** The settings. Those that VS Code returns cannot be sent to a worker. */
export function settings(): object {
  return JSON.parse(JSON.stringify(serverOptions())) as object;
}

function forAnalysis(params: object): object | null {
  return withUri(params, (uri) => toAnalysis(vscode.Uri.parse(uri)));
}

/** Parameters or a result with another address. */
function withUri(value: object | null, change: (uri: string) => string): object | null {
  return value !== null && 'uri' in value && typeof value.uri === 'string' ? { ...value, uri: change(value.uri) } : value;
}
