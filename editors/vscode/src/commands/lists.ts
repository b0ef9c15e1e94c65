/** The lists of a suite: its targets, and the cases that did not pass. */

import * as vscode from 'vscode';

import { showText } from '../beside';
import { methods, type Range, type VerdictsResult } from '../protocol';
import type { Server } from '../server/server';
import { failed } from '../suites/failures';

/** A case, a target, or a new target. */
type Item = vscode.QuickPickItem & { range?: Range; target?: string; isNew?: true };

/** Asks the user for the target of runs, which may be a new one. */
export async function chooseTarget(server: Server, uri: string): Promise<void> {
  const verdicts = await ask(server, uri);
  await choose(server, uri, 'Select the target for runs', targets(verdicts));
}

/** Offers the cases that did not pass, then the targets. Without such a case, only the targets. */
export async function showFailures(server: Server, uri: string): Promise<void> {
  const verdicts = await ask(server, uri);
  const cases = failures(verdicts);
  if (cases.length === 0) {
    await choose(server, uri, 'Select the target for runs', targets(verdicts));
  } else {
    await choose(server, uri, 'Go to a case, or select the target for runs', [...cases, separator('target for runs'), ...targets(verdicts)]);
  }
}

function ask(server: Server, uri: string): Promise<VerdictsResult> {
  return server.request<VerdictsResult>(methods.verdicts, { uri });
}

function failures({ cases }: VerdictsResult): Item[] {
  return failed(cases).map(({ id, status, label, range }) => ({
    label: `$(${status === 'FAIL' ? 'error' : 'warning'}) ${id.replaceAll('$(', '$ (')}`, description: label ?? '', range,
  }));
}

function targets({ target, targets: names }: VerdictsResult): Item[] {
  const items = names.map((label): Item => ({
    label,
    description: [label === target ? 'selected' : '', label === 'replay' ? 'scores stored transcripts' : ''].filter((text) => text !== '').join(' · '),
    target: label,
  }));
  return [...items, separator(''), { label: '$(add) Add target', description: 'a program or a web app that answers', isNew: true }];
}

function separator(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

async function choose(server: Server, uri: string, title: string, items: Item[]): Promise<void> {
  const chosen = await vscode.window.showQuickPick(items, { title, placeHolder: 'Targets are defined in eval-ls.toml' });
  if (chosen?.isNew === true) {
    await vscode.commands.executeCommand('evalLs.addTarget', vscode.Uri.parse(uri));
  } else if (chosen?.range !== undefined) {
    await showText(vscode.Uri.parse(uri), chosen.range);
  } else if (chosen?.target !== undefined) {
    await server.execute('eval-ls.chooseTarget', { uri, target: chosen.target });
  }
}
