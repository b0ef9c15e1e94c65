/** The process of the server, and the reason of its end. */

import { spawn, type ChildProcess } from 'node:child_process';

import { reasonOf } from './crashes';
import { launch } from './launch';

/** Maximum length of the kept end of standard error, in characters. */
const KEPT = 2000;

export class ServerProcess {
  readonly child: ChildProcess;
  private lastErrors = '';
  private readonly ended: Promise<string>;

  constructor(program: string, folder: string | undefined) {
    const start = launch(program, ['lsp']);
    this.child = spawn(start.file, start.args, { stdio: 'pipe', ...start.options, ...(folder === undefined ? {} : { cwd: folder }) });
    this.child.stderr?.on('data', (data: Buffer) => {
      this.lastErrors = (this.lastErrors + data.toString()).slice(-KEPT);
    });
    // If the program cannot be started, `error` is the only event.
    this.ended = new Promise((resolve) => {
      this.child.once('error', (error) => { resolve(`could not start: ${error.message}`); });
      this.child.once('close', (code, signal) => { resolve(reasonOf(code, signal, this.lastLine())); });
    });
  }

  /** Resolves to the reason when the process has ended. */
  reason(): Promise<string> {
    return this.ended;
  }

  private lastLine(): string {
    return this.lastErrors.trimEnd().split('\n').at(-1)?.trim() ?? '';
  }
}
