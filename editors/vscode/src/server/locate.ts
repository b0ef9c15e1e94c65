/** Finds the `eval-ls` program: the setting, then the one in the extension's folder, then `PATH`. */

import * as path from 'node:path';

/** The endings of programs on Windows, in the order of its search. npm and pip install `.cmd` or `.exe`. */
const WINDOWS_ENDINGS = ['.exe', '.cmd', '.bat'];

export interface Surroundings {
  /** The setting `eval-ls.server.path`. */
  setting: string;
  /** Path of the bundled program, if there is one. */
  bundled: string;
  /** The variable `PATH`. */
  searchPath: string;
  home: string;
  /** Value of `${workspaceFolder}`. */
  workspaceFolder: string | undefined;
  isExecutable: (file: string) => boolean;
  /** The rules of paths: those of this system, except in tests. */
  paths: path.PlatformPath;
}

export type Located =
  | { found: true; program: string; by: 'setting' | 'bundle' | 'PATH' }
  | { found: false; message: string };

export function locate(from: Surroundings): Located {
  if (from.setting.trim() !== '') {
    return bySetting(from);
  }
  if (from.isExecutable(from.bundled)) {
    return { found: true, program: from.bundled, by: 'bundle' };
  }
  const program = onPath('eval-ls', from);
  return program === undefined
    ? { found: false, message: 'eval-ls was not found in this package or on PATH; install it or set eval-ls.server.path.' }
    : { found: true, program, by: 'PATH' };
}

/** A wrong setting is an error; another program would surprise the user. */
function bySetting(from: Surroundings): Located {
  const named = expand(from.setting.trim(), from);
  const isPath = named.includes('/') || named.includes(from.paths.sep);
  const program = isPath ? withEnding(named, from) : onPath(named, from);
  return program !== undefined
    ? { found: true, program, by: 'setting' }
    : { found: false, message: `eval-ls.server.path is "${from.setting.trim()}", which is not an executable program; correct the setting.` };
}

function expand(setting: string, { home, workspaceFolder }: Surroundings): string {
  const expanded = setting.replace(/^~(?=$|[/\\])/, () => home);
  return workspaceFolder === undefined ? expanded : expanded.replaceAll('${workspaceFolder}', () => workspaceFolder);
}

function onPath(name: string, from: Surroundings): string | undefined {
  const folders = from.searchPath.split(from.paths.delimiter).filter((folder) => from.paths.isAbsolute(folder));
  return folders.map((folder) => withEnding(from.paths.join(folder, name), from)).find((file) => file !== undefined);
}

/** The program at this path. On Windows its ending may be left out. */
function withEnding(file: string, { paths, isExecutable }: Surroundings): string | undefined {
  const isWindows = paths.sep === '\\';
  const isComplete = !isWindows || WINDOWS_ENDINGS.includes(paths.extname(file).toLowerCase());
  return (isComplete ? [file] : WINDOWS_ENDINGS.map((ending) => file + ending)).find(isExecutable);
}
