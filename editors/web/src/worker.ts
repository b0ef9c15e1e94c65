/**
 * The analysis in a worker. Each message to it is a JSON-RPC message, and so is each from it, as `vscode-languageclient/browser`
 * expects. The first one is {@link StartParams}; files are written with notifications `eval-ls/write`.
 */
import { Engine, type Message } from "./engine.js";

/** The parameters of the notification `eval-ls/start`, which comes first. */
export interface StartParams {
  module: WebAssembly.Module;
}

/** The parameters of the notification `eval-ls/write`. */
export interface WriteParams {
  /** Each path begins with `/`; `null` removes the file. */
  files: { path: string; contents: string | Uint8Array | null }[];
}

const here = self as unknown as { onmessage: (event: MessageEvent<Message>) => void; postMessage(message: Message): void };

/** What has come before the analysis runs. */
let waiting: Message[] | undefined = [];
let engine: Engine | undefined;
let fault: string | undefined;

here.onmessage = ({ data }) => {
  if (data.method === "eval-ls/start") void start(data.params as StartParams);
  else if (waiting) waiting.push(data);
  else take(data);
};

async function start({ module }: StartParams): Promise<void> {
  try {
    engine = await Engine.start(module, (line) => console.warn(line));
  } catch (error) {
    fail(error);
  }
  const before = waiting ?? [];
  waiting = undefined;
  before.forEach(take);
}

function take(message: Message): void {
  if (!engine) {
    if (message.id !== undefined && message.method !== undefined) refuse(message.id);
    return;
  }
  try {
    if (message.method === "eval-ls/write") {
      const { files } = message.params as WriteParams;
      for (const { path, contents } of files) engine.write(path, contents);
      const changes = files.map(({ path }) => ({ uri: `file://${path.split("/").map(encodeURIComponent).join("/")}`, type: 2 }));
      const params = { changes };
      message = { jsonrpc: "2.0", method: "workspace/didChangeWatchedFiles", params };
    }
    engine.receive(message).forEach((answer) => here.postMessage(answer));
  } catch (error) {
    // A trap leaves the memory of the module in an unknown state.
    engine = undefined;
    fail(error);
    if (message.id !== undefined && message.method !== undefined) refuse(message.id);
  }
}

function fail(error: unknown): void {
  fault = `the analysis has stopped and must be started again: ${error instanceof Error ? error.message : String(error)}`;
  here.postMessage({ jsonrpc: "2.0", method: "window/showMessage", params: { type: 1, message: fault } });
}

function refuse(id: number | string | null): void {
  here.postMessage({ jsonrpc: "2.0", id, error: { code: -32603, message: fault ?? "the analysis does not run" } });
}
