/** The folder that a window has open. */

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

import { env } from './environment';

export interface WorkspaceSettings {
  /** Files of the workspace, by their path in it. */
  files: Record<string, string>;
  /** Settings of the user, in addition to those that keep the editor quiet. */
  settings?: Record<string, unknown>;
  /** The folders of a workspace with several folders, which are in the folder of the files. */
  roots?: string[];
}

export class Workspace {
  private constructor(
    readonly folder: string,
    /** What the address of the window says about the workspace. */
    readonly query: string,
  ) {}

  static create(parent: string, { files, roots = [] }: WorkspaceSettings): Workspace {
    const folder = path.join(parent, 'workshop');
    for (const [name, text] of Object.entries(files)) {
      write(path.join(folder, name), text);
    }
    const several = path.join(parent, 'two.code-workspace');
    write(several, JSON.stringify({ folders: roots.map((name) => ({ path: path.join(folder, name) })) }));
    return new Workspace(folder, new URLSearchParams(roots.length === 0 ? { folder } : { workspace: several }).toString());
  }

  read(name: string): string {
    return fs.readFileSync(path.join(this.folder, name), 'utf8');
  }

  write(name: string, text: string): void {
    write(path.join(this.folder, name), text);
  }

  remove(name: string): void {
    fs.rmSync(path.join(this.folder, name));
  }

  /** Whether the workspace has this file or folder. */
  exists(name: string): boolean {
    return fs.existsSync(path.join(this.folder, name));
  }

  /** Replaces the settings of the workspace. */
  settings(settings: Record<string, unknown>): void {
    this.write('.vscode/settings.json', JSON.stringify(settings));
  }

  /** Runs the extension's program in the workspace. */
  evalLs(...args: string[]): void {
    const extensions = fs.readdirSync(env('E2E_EXTENSIONS'));
    const name = extensions.find((extension) => extension.startsWith('eval-ls.')) ?? '';
    execFileSync(path.join(env('E2E_EXTENSIONS'), name, 'server/eval-ls'), args, { cwd: this.folder, stdio: 'pipe' });
  }

  /** The processes of the language server. */
  languageServers(): number[] {
    return this.processes(([program, subcommand]) => program?.startsWith(env('E2E_EXTENSIONS')) === true && subcommand === 'lsp');
  }

  /** The processes that run a script of the workspace. */
  scripts(name: string): number[] {
    return this.processes((words) => words.includes(name));
  }

  /** The processes in this folder whose command line matches. */
  private processes(matches: (words: string[]) => boolean): number[] {
    return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
      try {
        return fs.readlinkSync(`/proc/${pid}/cwd`) === this.folder && matches(fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0'));
      } catch {
        // The process has ended, or belongs to another user.
        return false;
      }
    });
  }
}

export function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}
