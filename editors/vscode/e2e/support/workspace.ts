/** The folder that a window has open. */

import * as fs from 'node:fs';
import * as path from 'node:path';

export class Workspace {
  constructor(readonly folder: string) {}

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

  /** How many entries a folder has; none if there is no such folder. Names with a dot in front do not count. */
  count(name: string): number {
    return this.exists(name) ? fs.readdirSync(path.join(this.folder, name)).filter((entry) => !entry.startsWith('.')).length : 0;
  }

  /** Replaces the settings of the workspace. */
  settings(settings: Record<string, unknown>): void {
    this.write('.vscode/settings.json', JSON.stringify(settings));
  }

  /** The processes in this folder that have this word in their command line. */
  processes(word: string): number[] {
    return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
      try {
        return fs.readlinkSync(`/proc/${pid}/cwd`) === this.folder && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
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
