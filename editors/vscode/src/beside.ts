/** Pages are beside the suite: all of them open in the column after the text that is active. */

import * as vscode from 'vscode';

import type { Range } from './protocol';
import { editorRange } from './testing/report';

const { One } = vscode.ViewColumn;

/** The column for a new page: beside an active text, or that of an active page, or else the first one. */
export function pageColumn(): vscode.ViewColumn {
  return vscode.window.activeTextEditor === undefined ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
}

/** Shows a text in the Markdown preview. The commands of the preview would open a column beside a page that is active. */
export async function showPreview(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('vscode.openWith', uri, 'vscode.markdown.preview.editor', { viewColumn: pageColumn(), preview: true });
}

/** Shows a place of a suite: in the column in which the suite is visible, or else beside the active page. */
export async function showText(uri: vscode.Uri, range: Range): Promise<void> {
  const visible = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  const { activeTabGroup } = vscode.window.tabGroups;
  const isPage = activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
  const free = isPage && activeTabGroup.viewColumn === One ? vscode.ViewColumn.Beside : One;
  await vscode.window.showTextDocument(uri, { viewColumn: visible?.viewColumn ?? free, selection: editorRange(range) });
}
