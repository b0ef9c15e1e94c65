/** The files beside each open suite: configurations, transcripts and samples. */

import * as vscode from 'vscode';

import { AfterPause } from '../afterPause';
import { complain } from '../complaint';
import { methods, type VerdictsResult } from '../protocol';
import type { Requests } from '../server/requests';
import { LANGUAGE } from '../settings';
import { toEditor } from './addresses';
import { entries, isWithin, type Files } from './files';

const CONFIGURATION = 'eval-ls.toml';
/** The largest size of each kind of file, in bytes. */
const SIZES = { configuration: 1 << 20, transcript: 16 << 20, sample: 1 << 20 };

/** The answer to `eval-ls/proofs`, as far as it is needed. */
type Proofs = { transcript: string | null }[] | null;

export class Suites {
  /** The folders of each open suite. */
  private readonly folders = new Map<string, vscode.Uri[]>();
  private readonly changed = new AfterPause((addresses) => { this.copyAgain(addresses).catch(complain); });

  constructor(private readonly server: Requests, private readonly files: Files, subscriptions: vscode.ExtensionContext['subscriptions']) {
    const watcher = vscode.workspace.createFileSystemWatcher(`**/{${CONFIGURATION},*.json,samples/**}`);
    const note = (uri: vscode.Uri): void => { this.changed.add([uri.toString()]); };
    subscriptions.push(
      watcher, this.changed, watcher.onDidChange(note), watcher.onDidCreate(note), watcher.onDidDelete(note),
      // Not each file system reports its changes.
      vscode.workspace.onDidSaveTextDocument(({ uri }) => { note(uri); }),
      vscode.workspace.onDidDeleteFiles(({ files }) => { files.forEach(note); }),
      vscode.workspace.onDidRenameFiles(({ files }) => { files.forEach(({ oldUri, newUri }) => { note(oldUri); note(newUri); }); }));
  }

  /** Copies the configurations that apply to a document: those in its folder and in the folders above it. */
  async configure({ uri }: vscode.TextDocument): Promise<void> {
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
    const files: vscode.Uri[] = [];
    for (let folder = uri; root !== undefined && folder.toString() !== root.toString();) {
      folder = vscode.Uri.joinPath(folder, '..');
      files.push(vscode.Uri.joinPath(folder, CONFIGURATION));
    }
    await this.files.copy(files, SIZES.configuration);
  }

  /** Copies the files beside a document. A document that is a suite gets its language, and is opened again. */
  async opened(document: vscode.TextDocument): Promise<void> {
    await this.configure(document);
    if (document.languageId === LANGUAGE) {
      await this.copyAnswers(document);
    } else if (await this.isSuite(document) && !document.isClosed && document.languageId === 'json') {
      await vscode.languages.setTextDocumentLanguage(document, LANGUAGE);
    }
  }

  closed({ uri }: vscode.TextDocument): void {
    this.folders.get(uri.toString())?.forEach((folder) => { this.files.forget(folder); });
    this.folders.delete(uri.toString());
  }

  private async isSuite({ uri, languageId }: vscode.TextDocument): Promise<boolean> {
    return languageId === 'json' && await this.server.request<VerdictsResult | null>(methods.verdicts, { uri: uri.toString() }) !== null;
  }

  private async copyAnswers({ uri }: vscode.TextDocument): Promise<void> {
    const beside = (folder: string): vscode.Uri => vscode.Uri.joinPath(uri, '..', folder, uri.path.replace(/^.*\/|\.json$/g, ''));
    const proofs = await this.server.request<Proofs>(methods.proofs, { uri: uri.toString() });
    const transcripts = (proofs ?? []).flatMap(({ transcript }) => (transcript === null ? [] : [vscode.Uri.joinPath(toEditor(transcript), '..').toString()]));
    // A suite without cases has the default folder.
    const folders = transcripts.length === 0 ? [beside('transcripts')] : [...new Set(transcripts)].map((folder) => vscode.Uri.parse(folder));
    const samples = beside('samples');
    this.folders.set(uri.toString(), [...folders, samples]);
    for (const folder of folders) {
      const files = await entries(folder, vscode.FileType.File);
      await this.files.copyFolder(folder, files.filter(({ path }) => path.endsWith('.json')), SIZES.transcript);
    }
    const ofCases = await entries(samples, vscode.FileType.Directory);
    const files = await Promise.all(ofCases.map((folder) => entries(folder, vscode.FileType.File)));
    await this.files.copyFolder(samples, files.flat(), SIZES.sample);
  }

  /** Copies the files with these addresses again, if an open suite needs them. A configuration can name other folders. */
  private async copyAgain(addresses: string[]): Promise<void> {
    const files = addresses.map((address) => vscode.Uri.parse(address));
    for (const document of vscode.workspace.textDocuments) {
      const folders = this.folders.get(document.uri.toString()) ?? [];
      const isMoved = files.some((file) => file.path.endsWith(`/${CONFIGURATION}`) || folders.some((folder) => isWithin(`${folder.toString()}/`, file)));
      if (isMoved) {
        await this.opened(document);
      } else {
        await this.files.copy(files.filter((file) => folders.some((folder) => isWithin(file.toString(), folder))), SIZES.transcript);
      }
    }
  }
}
