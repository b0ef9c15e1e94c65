/** Finds the `eval-ls` program: the setting, then the one in the extension's folder, then `PATH`. */

import * as path from 'node:path';

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
  const program = named.includes('/') || named.includes(path.sep) ? named : onPath(named, from);
  return program !== undefined && from.isExecutable(program)
    ? { found: true, program, by: 'setting' }
    : { found: false, message: `eval-ls.server.path is "${from.setting.trim()}", which is not an executable program; correct the setting.` };
}

function expand(setting: string, { home, workspaceFolder }: Surroundings): string {
  const expanded = setting.replace(/^~(?=$|[/\\])/, () => home);
  return workspaceFolder === undefined ? expanded : expanded.replaceAll('${workspaceFolder}', () => workspaceFolder);
}

function onPath(name: string, { searchPath, isExecutable }: Surroundings): string | undefined {
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, name)).find(isExecutable);
}
