/**
 * The analysis in this thread. It is a language server without a connection: it takes JSON-RPC messages of LSP and of
 * `docs/lsp-extensions.md`, and answers each at once. Files are in memory.
 */
import { Directory, File, OpenDirectory, OpenFile, PreopenDirectory, WASI, wasi, type Inode } from "@bjorn3/browser_wasi_shim";

/** A JSON-RPC message. */
export interface Message {
  jsonrpc: "2.0";
  id?: number | string | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

interface Exports {
  memory: WebAssembly.Memory;
  eval_ls_allocate(length: number): number;
  eval_ls_receive(message: number, length: number): number;
  eval_ls_answer(): number;
  _initialize?(): void;
}

/** A file with the time of its last change, by which the analysis notices changes. */
class TimedFile extends File {
  private static last = 0n;
  private readonly changed: bigint;

  constructor(data: Uint8Array) {
    super(data);
    // Nanoseconds; each file has another time.
    const now = BigInt(Date.now()) * 1_000_000n;
    TimedFile.last = now > TimedFile.last ? now : TimedFile.last + 1n;
    this.changed = TimedFile.last;
  }

  override stat() {
    const stat = super.stat();
    stat.mtim = this.changed;
    return stat;
  }
}

/** A folder whose list is made once for each reading. {@link Directory} makes it for each entry. */
class Folder extends Directory {
  override path_open() {
    return { ret: wasi.ERRNO_SUCCESS, fd_obj: new OpenFolder(this) };
  }
}

class OpenFolder extends OpenDirectory {
  private list: [string, Inode][] | undefined;

  override fd_readdir_single(cookie: bigint) {
    // The first two are `.` and `..`.
    if (cookie < 2n) {
      this.list = undefined;
      return super.fd_readdir_single(cookie);
    }
    this.list ??= [...this.dir.contents];
    const entry = this.list[Number(cookie - 2n)];
    if (!entry) return { ret: wasi.ERRNO_SUCCESS, dirent: null };
    const [name, inode] = entry;
    return { ret: wasi.ERRNO_SUCCESS, dirent: new wasi.Dirent(cookie + 1n, inode.ino, name, inode.stat().filetype) };
  }
}

/** The analysis and its files. */
export class Engine {
  private readonly exports: Exports;
  private readonly root: PreopenDirectory;

  private constructor(exports: Exports, root: PreopenDirectory) {
    this.exports = exports;
    this.root = root;
  }

  /** Starts the analysis of a compiled `eval_ls.wasm`. `log` gets the lines that it writes for people. */
  static async start(module: WebAssembly.Module, log: (line: string) => void = () => undefined): Promise<Engine> {
    const root = new PreopenDirectory("/", new Map<string, Inode>());
    const line = new LineSink(log);
    const system = new WASI([], [], [new OpenFile(new File([])), line, line, root], { debug: false });
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: system.wasiImport });
    const exports = instance.exports as unknown as Exports;
    system.initialize({ exports });
    return new Engine(exports, root);
  }

  /** Takes a message. Returns the messages to the client that follow from it: the answer to a request comes first. */
  receive(message: Message): Message[] {
    return JSON.parse(this.receiveText(JSON.stringify(message))) as Message[];
  }

  /** The same with texts of JSON. */
  receiveText(message: string): string {
    const bytes = new TextEncoder().encode(message);
    // Addresses come as signed numbers.
    const place = this.exports.eval_ls_allocate(bytes.length) >>> 0;
    new Uint8Array(this.exports.memory.buffer, place, bytes.length).set(bytes);
    const length = this.exports.eval_ls_receive(place, bytes.length);
    const answer = new Uint8Array(this.exports.memory.buffer, this.exports.eval_ls_answer() >>> 0, length);
    return new TextDecoder().decode(answer);
  }

  /**
   * Writes a file; `null` removes it. `path` begins with `/`. The analysis looks at it after a message
   * `workspace/didChangeWatchedFiles`.
   */
  write(path: string, contents: string | Uint8Array | null): void {
    const names = path.split("/").filter((name) => name !== "");
    const name = names.pop();
    if (name === undefined) throw new Error(`${path} names no file`);
    let entries = this.root.dir.contents;
    for (const folder of names) {
      let next = entries.get(folder);
      if (!(next instanceof Directory)) {
        if (contents === null) return;
        next = new Folder(new Map<string, Inode>());
        entries.set(folder, next);
      }
      entries = (next as Directory).contents;
    }
    if (contents === null) entries.delete(name);
    else entries.set(name, new TimedFile(typeof contents === "string" ? new TextEncoder().encode(contents) : contents));
  }
}

/** Standard output and error: whole lines go to a function. */
class LineSink extends OpenFile {
  private rest = "";
  private readonly decoder = new TextDecoder();

  constructor(private readonly log: (line: string) => void) {
    super(new File([]));
  }

  override fd_write(data: Uint8Array) {
    const lines = (this.rest + this.decoder.decode(data, { stream: true })).split("\n");
    this.rest = lines.pop() ?? "";
    lines.forEach((line) => this.log(line));
    return { ret: 0, nwritten: data.length };
  }
}
