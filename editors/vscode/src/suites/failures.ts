/** Goes from one case that did not pass to the next. */

import * as vscode from 'vscode';

import { methods, type VerdictsResult } from '../protocol';
import type { Server } from '../server/server';
import { LANGUAGE } from './language';
import { neighbour } from './neighbour';

/** Places the cursor at the next case whose status is FAIL or ERROR, or at the previous one; starts again at the other end. */
export async function goToFailure(server: Server, direction: 1 | -1): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== LANGUAGE) {
    void vscode.window.showInformationMessage('Open an eval suite first.');
    return;
  }
  const { cases } = await server.request<VerdictsResult>(methods.verdicts, { uri: editor.document.uri.toString() });
  const failed = cases.filter(({ status, running }) => !running && (status === 'FAIL' || status === 'ERROR'));
  const found = neighbour(failed.map(({ range }) => range.start.line), editor.selection.active.line, direction);
  const start = failed[found ?? -1]?.range.start;
  if (start === undefined) {
    void vscode.window.showInformationMessage('No case of this suite has failed.');
    return;
  }
  const place = new vscode.Position(start.line, start.character);
  editor.selection = new vscode.Selection(place, place);
  editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
