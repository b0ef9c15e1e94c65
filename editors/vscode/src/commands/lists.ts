/** The lists of a suite: its targets, and the cases that did not pass. */

import * as vscode from 'vscode';

import { showText } from '../beside';
import { methods, type Range, type VerdictsResult } from '../protocol';
import type { Server } from '../server/server';
import { failed } from '../suites/failures';

/** A case, a target, or a new target. */
type Item = vscode.QuickPickItem & { range?: Range; target?: string; isNew?: true };

/** Asks the user for the target of runs, which may be a new one. Before the targets, it may offer the cases that did not pass. */
export async function chooseTarget(server: Server, uri: string, offersCases = false): Promise<void> {
  const verdicts = await server.request<VerdictsResult>(methods.verdicts, { uri });
  const cases = offersCases ? failures(verdicts) : [];
  const title = `${cases.length === 0 ? 'Select' : 'Go to a case, or select'} the target for runs`;
  const items = [...cases, ...cases.length === 0 ? [] : [separator('target for runs')], ...targets(verdicts)];
  const chosen = await vscode.window.showQuickPick(items, { title, placeHolder: 'Targets are defined in eval-ls.toml' });
  if (chosen?.isNew === true) {
    await vscode.commands.executeCommand('evalLs.addTarget', vscode.Uri.parse(uri));
  } else if (chosen?.range !== undefined) {
    await showText(vscode.Uri.parse(uri), chosen.range);
  } else if (chosen?.target !== undefined) {
    await server.execute('eval-ls.chooseTarget', { uri, target: chosen.target });
  }
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
