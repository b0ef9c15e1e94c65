/** Formats suites: VS Code's own formatter for JSON does not know their language. */

import { format } from 'jsonc-parser';
import * as vscode from 'vscode';

import { LANGUAGE } from '../settings';

/** Offers *Format Document* and *Format Selection*, with the indentation of the editor. */
export function offerFormatting(subscriptions: vscode.ExtensionContext['subscriptions']): void {
  const edits = (document: vscode.TextDocument, range: vscode.Range, { tabSize, insertSpaces }: vscode.FormattingOptions): vscode.TextEdit[] => {
    const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    const offset = document.offsetAt(range.start);
    const found = format(document.getText(), { offset, length: document.offsetAt(range.end) - offset }, { tabSize, insertSpaces, eol });
    return found.map(({ offset: start, length, content }) =>
      vscode.TextEdit.replace(new vscode.Range(document.positionAt(start), document.positionAt(start + length)), content));
  };
  subscriptions.push(vscode.languages.registerDocumentRangeFormattingEditProvider(LANGUAGE, { provideDocumentRangeFormattingEdits: edits }));
}
