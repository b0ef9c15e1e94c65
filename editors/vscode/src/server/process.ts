/** The server's process, and why it ended. */

import { spawn, type ChildProcess } from 'node:child_process';

import { reasonOf } from './crashes';

/** The longest end of standard error that is kept, in characters. */
const KEPT = 2000;

export class ServerProcess {
  readonly child: ChildProcess;
  private lastErrors = '';
  private readonly ended: Promise<string>;

  constructor(program: string, args: readonly string[], folder: string | undefined) {
    this.child = spawn(program, args, { stdio: 'pipe', ...(folder === undefined ? {} : { cwd: folder }) });
    this.child.stderr?.on('data', (data: Buffer) => {
      this.lastErrors = (this.lastErrors + data.toString()).slice(-KEPT);
    });
    // Where the program cannot be started at all, that is the reason, and nothing exits.
    this.ended = new Promise((resolve) => {
      this.child.once('error', (error) => { resolve(`could not be started: ${error.message}`); });
      this.child.once('close', (code, signal) => { resolve(reasonOf(code, signal, this.lastLine())); });
    });
  }

  /** Why it ended, once it has. */
  reason(): Promise<string> {
    return this.ended;
  }

  private lastLine(): string {
    return this.lastErrors.trimEnd().split('\n').at(-1)?.trim() ?? '';
  }
}
