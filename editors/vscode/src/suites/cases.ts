/** Finds the suite and case of a command: its argument, else the cursor. */

import * as vscode from 'vscode';

import { methods, type TestsResult } from '../protocol';
import type { Server } from '../server/server';
import { namesOf } from '../documents';
import { DOCUMENT_SCHEME, LANGUAGE } from '../settings';
import type { Names } from '../testing/selection';

/** Argument of a command: a file from the explorer, an item from the Test Explorer, names from a lens. */
export type Given = vscode.Uri | vscode.TestItem | Partial<Names> | undefined;

export class Cases {
  constructor(private readonly server: Server, private readonly namesOf: (item: vscode.TestItem) => Names) {}

  /** The suite; `undefined` after a message if there is none. */
  suite(given: Given): string | undefined {
    const named = this.named(given);
    if (named !== undefined) {
      return named.uri;
    }
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId === LANGUAGE) {
      return document.uri.toString();
    }
    void vscode.window.showInformationMessage('Open an eval suite first.');
    return undefined;
  }

  /** The case; `undefined` after a message if there is none. */
  async case(given: Given): Promise<Required<Names> | undefined> {
    const named = this.named(given);
    if (named?.case !== undefined) {
      return { uri: named.uri, case: named.case };
    }
    const uri = this.suite(given);
    if (uri === undefined) {
      return undefined;
    }
    const editor = vscode.window.activeTextEditor;
    const id = editor?.document.uri.toString() === uri ? await this.at(uri, editor.selection.active) : undefined;
    if (id === undefined) {
      void vscode.window.showInformationMessage('Place the cursor in a case first.');
      return undefined;
    }
    return { uri, case: id };
  }

  private async at(uri: string, position: vscode.Position): Promise<string | undefined> {
    const { suites } = await this.server.request<TestsResult>(methods.tests, { uri });
    return suites[0]?.cases?.find(({ caseRange: { start, end } }) =>
      new vscode.Range(start.line, start.character, end.line, end.character).contains(position))?.id;
  }

  private named(given: Given): Names | undefined {
    if (given === undefined) {
      return undefined;
    }
    if (given instanceof vscode.Uri) {
      // An answer beside its transcript: the document of the diff editor.
      return given.scheme === DOCUMENT_SCHEME ? namesOf(given) : { uri: given.toString() };
    }
    if ('children' in given) {
      return this.namesOf(given);
    }
    const { uri, case: id } = given;
    return uri === undefined ? undefined : id === undefined ? { uri } : { uri, case: id };
  }
}
