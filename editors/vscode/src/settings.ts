/** The section `eval-ls` of the settings, and other names that package.json declares. */

import * as vscode from 'vscode';

export const SECTION = 'eval-ls';

/** The scheme of virtual documents. */
export const DOCUMENT_SCHEME = 'eval-ls';

/** The language of suites. */
export const LANGUAGE = 'eval-suite';
/** `eval-ls.toml`, in any language. */
export const CONFIG = { pattern: '**/eval-ls.toml' };

/** Keys for the server; the other keys are for this extension. */
const OPTIONS = ['target', 'verdicts', 'challenges'];

/** The options for the server, without empty ones. */
export function serverOptions(scope?: vscode.Uri): Record<string, unknown> {
  const section = vscode.workspace.getConfiguration(SECTION, scope ?? null);
  const options = OPTIONS.map((name): [string, unknown] => [name, section.get(name)]);
  return Object.fromEntries(options.filter(([, value]) => value !== '' && value !== undefined));
}

export function programSetting(): string {
  return vscode.workspace.getConfiguration(SECTION).get('server.path', '');
}

/** Whether a change affects the program. */
export function changesProgram(change: vscode.ConfigurationChangeEvent): boolean {
  return change.affectsConfiguration(`${SECTION}.server`);
}
