/** Copies files of the workspace to the analysis, which reads no others. */

import * as vscode from 'vscode';

import { pathOf } from './addresses';

/** A file of the analysis; `null` removes it. */
export interface Written { path: string; contents: Uint8Array | null }

const { fs } = vscode.workspace;

/** The largest number of files, and the number that is read at once. */
const MOST = 2000;
const AT_ONCE = 20;

export class Files {
  /** The addresses of the files that the analysis has. */
  private readonly copied = new Set<string>();
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly write: (files: Written[]) => void) {}

  /** Copies these files of at most this size in bytes; removes those that are gone. */
  copy(files: readonly vscode.Uri[], limit: number): Promise<void> {
    // One after the other: what was read earlier is never written later.
    this.last = this.last.then(() => this.copyNow(files, limit));
    return this.last;
  }

  private async copyNow(files: readonly vscode.Uri[], limit: number): Promise<void> {
    for (let start = 0; start < files.length; start += AT_ONCE) {
      const part = files.slice(start, start + AT_ONCE);
      const read = await Promise.all(part.map((file) => contentsOf(file, limit)));
      this.writeAll(part.flatMap((file, place) => {
        const contents = read[place];
        return contents === undefined ? [] : [{ file, contents }];
      }));
    }
  }

  /** Copies the files that are now in a folder. */
  async copyFolder(folder: vscode.Uri, found: readonly vscode.Uri[], limit: number): Promise<void> {
    const before = this.within(folder);
    const room = Math.max(MOST - this.copied.size + before.length, 0);
    const all = new Set([...before, ...found.slice(0, room)].map(String));
    await this.copy([...all].map((file) => vscode.Uri.parse(file)), limit);
  }

  /** Removes the files of a folder from the analysis. */
  forget(folder: vscode.Uri): void {
    this.writeAll(this.within(folder).map((file) => ({ file, contents: null })));
  }

  /** The analysis has started again, and has no files. */
  clear(): void {
    this.copied.clear();
  }

  private within(folder: vscode.Uri): vscode.Uri[] {
    return [...this.copied].filter((file) => isWithin(file, folder)).map((file) => vscode.Uri.parse(file));
  }

  private writeAll(files: { file: vscode.Uri; contents: Uint8Array | null }[]): void {
    const changed = files.filter(({ file, contents }) => contents !== null || this.copied.has(file.toString()));
    changed.forEach(({ file, contents }) => {
      if (contents === null) {
        this.copied.delete(file.toString());
      } else {
        this.copied.add(file.toString());
      }
    });
    if (changed.length > 0) {
      this.write(changed.map(({ file, contents }) => ({ path: pathOf(file), contents })));
    }
  }
}

/** Whether a file or folder with this address is below a folder. */
export function isWithin(address: string, folder: vscode.Uri): boolean {
  return address.startsWith(`${folder.toString()}/`);
}

/** The files or folders in a folder of the workspace. */
export async function entries(folder: vscode.Uri, wanted: vscode.FileType): Promise<vscode.Uri[]> {
  if (!await isInside(folder)) {
    return [];
  }
  const all = await fs.readDirectory(folder);
  return all.filter(([, type]) => type === wanted).map(([name]) => vscode.Uri.joinPath(folder, name));
}

/** The contents of a file; `null` if it does not exist or the analysis must not have it, and `undefined` if it cannot be read now. */
async function contentsOf(file: vscode.Uri, limit: number): Promise<Uint8Array | null | undefined> {
  try {
    const { type, size } = await fs.stat(file);
    if (type !== vscode.FileType.File || size > limit || !await isInside(vscode.Uri.joinPath(file, '..'))) {
      return null;
    }
    return await fs.readFile(file);
  } catch (error) {
    return error instanceof vscode.FileSystemError && error.code === 'FileNotFound' ? null : undefined;
  }
}

/** Whether a folder is in the workspace. Links can lead out of it, so a folder behind one is not. */
async function isInside(folder: vscode.Uri): Promise<boolean> {
  const root = vscode.workspace.getWorkspaceFolder(folder)?.uri;
  if (root === undefined) {
    return false;
  }
  if (root.toString() === folder.toString()) {
    return true;
  }
  try {
    const { type } = await fs.stat(folder);
    return type === vscode.FileType.Directory && await isInside(vscode.Uri.joinPath(folder, '..'));
  } catch {
    return false;
  }
}
