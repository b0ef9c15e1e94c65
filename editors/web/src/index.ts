/** The analysis of eval suites for a page: text in; findings, completions, verdicts and their proofs out. */
import type {
  CodeAction,
  CompletionList,
  Diagnostic,
  DocumentSymbol,
  Hover,
  InlayHint,
  Position,
  Range,
  TextEdit,
} from "vscode-languageserver-types";
import type { Message } from "./engine.js";

export type { CodeAction, CompletionList, Diagnostic, DocumentSymbol, Hover, InlayHint, Position, Range, TextEdit };

/** How a check ended. */
export type CheckOutcome = "passed" | "failed" | "unknown" | "not_judged";
/** How a case ended. */
export type Status = "PASS" | "FAIL" | "PARTIAL" | "ERROR";

/** A part of an answer, in UTF-16 code units. */
export interface Place {
  start: number;
  end: number;
}

/** A check with its result and its proof. */
export interface CheckProof {
  id: string;
  /** The text in the suite that asks for it. */
  range: Range;
  /** `null` without an answer. */
  outcome: CheckOutcome | null;
  message: string | null;
  /** The places in the answer that decided it; those nearest to what is missing if `nearest`. */
  evidence: Place[];
  nearest: boolean;
  /** The wrong answers on which it fails. */
  notices: string[];
  metByPrompt: boolean;
  /** Whether some answer can fail it. */
  canFail: boolean;
  /** The number of rewrites of the answer that it ought to pass, and those on which it fails. */
  rewrites: number;
  brittle: string[];
  /** What would help it, each a sentence. */
  fixes: string[];
}

/** A case with its answer, its verdict and the proof of its checks. */
export interface CaseProof {
  id: string;
  range: Range;
  prompt: string;
  setupPrompts: string[];
  /** The address of its transcript, which need not exist. `null` if the configured folder is outside of the workspace. */
  transcript: string | null;
  response: string | null;
  status: Status | null;
  /** The verdict in the words of an editor. */
  label: string | null;
  reason: string | null;
  /** Whether the prompts have changed since the answer. */
  stale: boolean;
  /** Whether the case cannot be read now. The verdict is that on its last text that could be read. */
  outdated: boolean;
  softScore: number | null;
  checks: CheckProof[];
  /** The wrong answers that were tried, and those that the case passes although it ought to fail them. */
  challenges: string[];
  passedChallenges: { challenge: string; reason: string }[];
  /** The rewrites of the answer that were tried. */
  rewrites: string[];
}

/** A change of a document; the whole text without a range. */
export interface Change {
  range?: Range;
  text: string;
}

/** What a page can set; see the settings in `docs/lsp-extensions.md`. */
export interface Options {
  /** The worker with `eval-ls-web/worker`. */
  worker: Worker;
  /** The module `eval-ls-web/eval_ls.wasm`, or its address. */
  module: WebAssembly.Module | string;
  settings?: Record<string, unknown>;
}

const ROOT = "/workspace";
/** The type of a message of LSP that reports an error. The worker sends one if the analysis has stopped. */
const ERROR = 1;

/** A connection to the analysis in a worker. Paths are relative to one workspace, for example `evals/first.evals.json`. */
export class EvalLs {
  private next = 0;
  private readonly pending = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  private readonly versions = new Map<string, number>();
  /** Why the analysis cannot continue. */
  private fault: string | undefined;
  /** Called with the findings of a document whenever they change: lints and failed checks. */
  onFindings: (path: string, findings: Diagnostic[]) => void = () => undefined;
  /** Called if the analysis cannot continue. */
  onFault: (message: string) => void = () => undefined;

  private constructor(private readonly worker: Worker) {
    worker.onmessage = ({ data }: MessageEvent<Message>) => this.receive(data);
    worker.onerror = ({ message }) => this.fail(message || "the worker cannot be loaded");
  }

  /** Starts the analysis. */
  static async start({ worker, module, settings }: Options): Promise<EvalLs> {
    const server = new EvalLs(worker);
    server.notify("eval-ls/start", { module: typeof module === "string" ? await compiledAt(module) : module });
    await server.request("initialize", {
      capabilities: {
        textDocument: {
          completion: { completionItem: { snippetSupport: true, documentationFormat: ["markdown"] } },
          hover: { contentFormat: ["markdown"] },
          codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "refactor", "source"] } } },
          documentSymbol: { hierarchicalDocumentSymbolSupport: true },
          inlayHint: {},
          publishDiagnostics: { relatedInformation: true },
        },
        workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ["create"] } },
      },
      initializationOptions: { verdicts: "all", ...settings },
      workspaceFolders: [{ uri: `file://${ROOT}`, name: "workspace" }],
    });
    return server;
  }

  /** Writes files beside the open documents, such as transcripts and `eval-ls.toml`; `null` removes one. */
  write(files: Record<string, string | null>): void {
    const list = Object.entries(files).map(([path, contents]) => ({ path: `${ROOT}/${path}`, contents }));
    this.notify("eval-ls/write", { files: list });
  }

  /** Opens a document. */
  open(path: string, text: string): void {
    this.versions.set(path, 1);
    const languageId = path.endsWith(".toml") ? "toml" : "json";
    this.notify("textDocument/didOpen", { textDocument: { uri: uriOf(path), languageId, version: 1, text } });
  }

  /** Changes an open document; the changes apply one after the other. */
  edit(path: string, contentChanges: Change[]): void {
    const version = (this.versions.get(path) ?? 0) + 1;
    this.versions.set(path, version);
    this.notify("textDocument/didChange", { textDocument: { uri: uriOf(path), version }, contentChanges });
  }

  /** Closes a document. */
  close(path: string): void {
    this.notify("textDocument/didClose", { textDocument: { uri: uriOf(path) } });
  }

  completion(path: string, position: Position): Promise<CompletionList | null> {
    return this.request("textDocument/completion", { textDocument: { uri: uriOf(path) }, position });
  }

  hover(path: string, position: Position): Promise<Hover | null> {
    return this.request("textDocument/hover", { textDocument: { uri: uriOf(path) }, position });
  }

  /** The fixes and refactorings for a range. */
  actions(path: string, range: Range, diagnostics: Diagnostic[] = []): Promise<CodeAction[] | null> {
    return this.request("textDocument/codeAction", { textDocument: { uri: uriOf(path) }, range, context: { diagnostics } });
  }

  symbols(path: string): Promise<DocumentSymbol[] | null> {
    return this.request("textDocument/documentSymbol", { textDocument: { uri: uriOf(path) } });
  }

  hints(path: string, range: Range): Promise<InlayHint[] | null> {
    return this.request("textDocument/inlayHint", { textDocument: { uri: uriOf(path) }, range });
  }

  /** The cases of a suite with their verdicts, and the proof of each check; only one if its id is given. */
  proofs(path: string, caseId?: string): Promise<CaseProof[] | null> {
    return this.request("eval-ls/proofs", { uri: uriOf(path), case: caseId });
  }

  /** Sends any other request of LSP, or of `docs/lsp-extensions.md`. */
  request<T>(method: string, params: unknown): Promise<T> {
    const id = ++this.next;
    if (this.fault !== undefined) return Promise.reject(new Error(this.fault));
    return new Promise<T>((resolve, reject) => {
      this.pending.set(id, { resolve: resolve as (result: never) => void, reject });
      this.worker.postMessage({ jsonrpc: "2.0", id, method, params });
    });
  }

  private fail(message: string): void {
    this.fault = message;
    this.onFault(message);
    this.pending.forEach(({ reject }) => reject(new Error(message)));
    this.pending.clear();
  }

  private notify(method: string, params: unknown): void {
    this.worker.postMessage({ jsonrpc: "2.0", method, params });
  }

  private receive(message: Message): void {
    if (message.method === "textDocument/publishDiagnostics") {
      const { uri, diagnostics } = message.params as { uri: string; diagnostics: Diagnostic[] };
      this.onFindings(pathOf(uri), diagnostics);
    } else if (message.method === "window/showMessage") {
      const { type, message: text } = message.params as { type: number; message: string };
      if (type === ERROR) this.fail(text);
    } else if (message.method === undefined && typeof message.id === "number") {
      const waiting = this.pending.get(message.id);
      this.pending.delete(message.id);
      if (message.error) waiting?.reject(new Error(message.error.message));
      else waiting?.resolve(message.result as never);
    }
  }
}

/** The address of a path of the workspace. */
export function uriOf(path: string): string {
  return `file://${ROOT}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** The path of an address in the workspace. */
export function pathOf(uri: string): string {
  return decodeURIComponent(uri.slice(`file://${ROOT}/`.length));
}

/** The text of a transcript of a case with this answer, which {@link EvalLs.write} stores at the address in {@link CaseProof.transcript}. */
export function transcriptOf(proof: CaseProof, response: string): string {
  const { id, prompt, setupPrompts } = proof;
  return JSON.stringify({
    format: "eval-ls/transcript@1",
    case: id,
    // The prompt of a case that cannot be read is not known.
    ...(prompt === "" ? {} : { prompt }),
    ...(setupPrompts.length > 0 ? { setup_prompts: setupPrompts } : {}),
    response,
  });
}

async function compiledAt(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  // Some servers do not know the type of a module, without which it is not compiled while it loads.
  const isTyped = response.headers.get("content-type")?.startsWith("application/wasm");
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
