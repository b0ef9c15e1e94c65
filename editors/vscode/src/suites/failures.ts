/** The cases of a suite that did not pass, and the way to them. */

import * as vscode from 'vscode';

import { methods, type CaseVerdict, type VerdictsResult } from '../protocol';
import type { Requests } from '../server/requests';
import { LANGUAGE } from '../settings';
import { neighbour } from './neighbour';

/** The cases whose status is FAIL or ERROR. */
export function failed(cases: readonly CaseVerdict[]): CaseVerdict[] {
  return cases.filter(({ status, running }) => !running && (status === 'FAIL' || status === 'ERROR'));
}

/** Places the cursor at the next case whose status is FAIL or ERROR, or at the previous one; starts again at the other end. */
export async function goToFailure(server: Requests, direction: 1 | -1): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== LANGUAGE) {
    void vscode.window.showInformationMessage('Open an eval suite first.');
    return;
  }
  const { cases } = await server.request<VerdictsResult>(methods.verdicts, { uri: editor.document.uri.toString() });
  const places = failed(cases).map(({ range }) => range.start);
  const start = places[neighbour(places.map(({ line }) => line), editor.selection.active.line, direction) ?? -1];
  if (start === undefined) {
    void vscode.window.showInformationMessage('No case of this suite has failed.');
    return;
  }
  const place = new vscode.Position(start.line, start.character);
  editor.selection = new vscode.Selection(place, place);
  editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
