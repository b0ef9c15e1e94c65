/** Registers commands and shows their errors. */

import * as vscode from 'vscode';

import { complain } from '../complaint';

/** `selected` are the files that are selected in the explorer. */
type Command<A> = (argument: A, selected?: vscode.Uri[]) => Promise<void> | void;

export function register<A>(subscriptions: vscode.ExtensionContext['subscriptions'], commands: Record<string, Command<A>>): void {
  for (const [name, run] of Object.entries(commands)) {
    subscriptions.push(vscode.commands.registerCommand(name, async (argument: A, selected?: vscode.Uri[]) => {
      try {
        await run(argument, selected);
      } catch (error) {
        complain(error);
      }
    }));
  }
}
