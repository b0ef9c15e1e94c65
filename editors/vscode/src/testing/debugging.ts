/** Attaches a debugger to the program of each case of a run that asked for one. */

import { createServer, type AddressInfo } from 'node:net';

import * as vscode from 'vscode';

import { complain } from '../complaint';
import type { RunEvent } from '../protocol';

type Debugger = NonNullable<Extract<RunEvent, { kind: 'started' }>['debugger']>;

const HOST = '127.0.0.1';
/** How long the debugger tries to attach: a program that is started for the first time may take long. */
const PATIENCE_MS = 60_000;
const POLL_MS = 200;

export class Debugging {
  private readonly runs = new Map<number, Debugger>();

  handle(event: RunEvent): void {
    switch (event.kind) {
      case 'started':
        if (event.debugger !== null) {
          this.runs.set(event.run, event.debugger);
        }
        break;
      case 'caseStarted': {
        const waits = this.runs.get(event.run);
        if (waits !== undefined) {
          void this.attach(event, waits);
        }
        break;
      }
      case 'finished':
        this.runs.delete(event.run);
        break;
      default:
    }
  }

  private async attach({ run, uri, case: id }: { run: number; uri: string; case: string }, waits: Debugger): Promise<void> {
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(uri));
    try {
      // The debugger of Node.js tries again by itself. A connection that only looks would count as a debugger.
      while (waits.type === 'python' && this.runs.has(run) && !await isTaken(waits.port)) {
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      await vscode.debug.startDebugging(folder, configuration(id, waits));
    } catch (error) {
      complain(error, `The debugger could not attach to the program of ${id}`);
    }
  }
}

/** The configuration that attaches to the program of a case, as in `launch.json`. */
export function configuration(id: string, { type, port }: Debugger): vscode.DebugConfiguration {
  const name = `Debug ${id}`;
  return type === 'node'
    ? { type: 'node', request: 'attach', name, address: HOST, port, continueOnAttach: true, timeout: PATIENCE_MS }
    : { type: 'debugpy', request: 'attach', name, connect: { host: HOST, port }, justMyCode: false };
}

/** Whether an extension can debug Python programs. */
export function attachesPython(): boolean {
  const has = ({ packageJSON }: vscode.Extension<unknown>): boolean => {
    const { contributes } = packageJSON as { contributes?: { debuggers?: { type?: string }[] } };
    return contributes?.debuggers?.some(({ type }) => type === 'debugpy') ?? false;
  };
  return vscode.extensions.all.some(has);
}

/** Whether a program listens at a port of this machine. */
function isTaken(port: number): Promise<boolean> {
  return listen(port).then(() => false, () => true);
}

/** A port of this machine that is free now. */
export function freePort(): Promise<number> {
  return listen(0);
}

/** Listens at a port for a moment, at any free one if it is 0. */
function listen(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(port, HOST, () => {
      const { port: own } = server.address() as AddressInfo;
      server.close(() => { resolve(own); });
    });
  });
}
