/** The section `eval-ls` of the settings, as the server is to see it. */

import * as vscode from 'vscode';

export const SECTION = 'eval-ls';

/** What the server knows of the section's keys; the others are the extension's own. */
const OPTIONS = ['target', 'verdicts', 'codeLens', 'inlayHints', 'lints'];

/** The server's options, without those that say nothing. */
export function serverOptions(scope?: vscode.Uri): Record<string, unknown> {
  const section = vscode.workspace.getConfiguration(SECTION, scope ?? null);
  const options = OPTIONS.map((name): [string, unknown] => [name, section.get(name)]);
  return Object.fromEntries(options.filter(([, value]) => value !== '' && value !== undefined));
}

export function programSetting(): string {
  return vscode.workspace.getConfiguration(SECTION).get('server.path', '');
}

export function programArguments(): string[] {
  return vscode.workspace.getConfiguration(SECTION).get('server.arguments', ['lsp']);
}

/** Whether a change concerns which program is started, and how. */
export function changesProgram(change: vscode.ConfigurationChangeEvent): boolean {
  return change.affectsConfiguration(`${SECTION}.server`);
}
