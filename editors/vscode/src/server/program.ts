/** The program to start, looked for on this machine and asked for its version. */

import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

import { locate } from './locate';
import { isOlder, OLDEST, versionIn } from './version';

export interface Program {
  path: string;
  version: string;
  /** What named it. */
  by: string;
}

export interface Wishes {
  /** The setting `eval-ls.server.path`. */
  setting: string;
  extensionFolder: string;
  workspaceFolder: string | undefined;
}

/** Finds the program. Throws an error whose message says to a person what is wrong. */
export async function findProgram({ setting, extensionFolder, workspaceFolder }: Wishes): Promise<Program> {
  const located = locate({
    setting,
    bundled: path.join(extensionFolder, 'server', process.platform === 'win32' ? 'eval-ls.exe' : 'eval-ls'),
    searchPath: process.env.PATH ?? '',
    home: os.homedir(),
    workspaceFolder,
    isExecutable,
  });
  if (!located.found) {
    throw new Error(located.message);
  }
  const version = await versionOf(located.program);
  if (isOlder(version, OLDEST)) {
    throw new Error(`${located.program} is eval-ls ${version}; this extension needs ${OLDEST} or newer.`);
  }
  return { path: located.program, version, by: located.by };
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function versionOf(program: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, ['--version'], { timeout: 10_000 }, (error, stdout) => {
      const version = versionIn(stdout);
      if (version !== undefined) {
        resolve(version);
      } else {
        const why = error === null ? 'it does not answer to --version as eval-ls does' : error.message;
        reject(new Error(`${program} could not be used as eval-ls: ${why}.`));
      }
    });
  });
}
