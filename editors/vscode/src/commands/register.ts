/** Registers commands and shows their errors. */

import * as vscode from 'vscode';

import { complain } from '../complaint';

type Command<A> = (argument: A) => Promise<void> | void;

export function register<A>(subscriptions: vscode.ExtensionContext['subscriptions'], commands: Record<string, Command<A>>): void {
  for (const [name, run] of Object.entries(commands)) {
    subscriptions.push(vscode.commands.registerCommand(name, async (argument: A) => {
      try {
        await run(argument);
      } catch (error) {
        complain(error);
      }
    }));
  }
}
