/**
 * The analysis knows only files. So `vscode-vfs://github/owner/repo/evals/a.json` is the file
 * `/vscode-vfs/@github/owner/repo/evals/a.json` to it.
 */

import * as vscode from 'vscode';

import { DOCUMENT_SCHEME } from '../settings';

/** The path of a file in the analysis. */
export function pathOf({ scheme, authority, path }: vscode.Uri): string {
  return `/${scheme}/@${authority}${path}`;
}

/** The address of a document in the analysis. A document that is not in a file keeps its own. */
export function toAnalysis(uri: vscode.Uri): string {
  const isFile = uri.scheme !== 'untitled' && uri.scheme !== DOCUMENT_SCHEME && uri.query === '' && uri.fragment === '';
  return (isFile ? vscode.Uri.from({ scheme: 'file', path: pathOf(uri) }) : uri).toString();
}

/** The address of a document in the editor. */
export function toEditor(address: string): vscode.Uri {
  const uri = vscode.Uri.parse(address);
  const [, scheme, authority = '', path = ''] = /^\/([^/]+)\/@([^/]*)(.*)$/s.exec(uri.path) ?? [];
  return uri.scheme === 'file' && scheme !== undefined ? vscode.Uri.from({ scheme, authority, path }) : uri;
}

/** A text of the analysis for people: its paths are relative to the workspace folders. */
export function withShortPaths(text: string): string {
  return (vscode.workspace.workspaceFolders ?? []).reduce((short, { uri }) => short.replaceAll(`${pathOf(uri)}/`, ''), text);
}
