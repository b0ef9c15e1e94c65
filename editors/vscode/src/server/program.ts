/** Finds the program on this machine and checks its version. */

import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

import { launch } from './launch';
import { locate } from './locate';
import { isOlder, OLDEST, versionIn } from './version';

export interface Program {
  path: string;
  version: string;
  /** Which of the places named the program. */
  by: string;
}

export interface ProgramSettings {
  /** The setting `eval-ls.server.path`. */
  setting: string;
  extensionFolder: string;
  workspaceFolder: string | undefined;
}

/** Finds the program. Throws an error with a message for the user. */
export async function findProgram({ setting, extensionFolder, workspaceFolder }: ProgramSettings): Promise<Program> {
  const located = locate({
    setting,
    bundled: path.join(extensionFolder, 'server', process.platform === 'win32' ? 'eval-ls.exe' : 'eval-ls'),
    searchPath: process.env.PATH ?? '',
    home: os.homedir(),
    workspaceFolder,
    isExecutable,
    paths: path,
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
    const { file, args, options } = launch(program, ['--version']);
    execFile(file, args, { timeout: 10_000, ...options }, (error, stdout) => {
      const version = versionIn(stdout);
      if (version !== undefined) {
        resolve(version);
      } else {
        const why = error === null ? 'its --version output is not that of eval-ls' : error.message;
        reject(new Error(`${program} cannot be used as eval-ls: ${why}.`));
      }
    });
  });
}
