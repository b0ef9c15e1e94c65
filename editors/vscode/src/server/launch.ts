/** How to start the program: Node starts no `.cmd` or `.bat` file by itself, and npm installs one on Windows. */

export interface Launch {
  file: string;
  args: readonly string[];
  options: { windowsVerbatimArguments?: boolean };
}

/** The file and arguments that start `program`. `shell` is the command interpreter of Windows. */
export function launch(program: string, args: readonly string[], shell = process.env.ComSpec ?? 'cmd.exe'): Launch {
  if (!/\.(cmd|bat)$/i.test(program)) {
    return { file: program, args, options: {} };
  }
  const line = [program, ...args].map((part) => `"${part.replaceAll('"', '""')}"`).join(' ');
  // With /s, the interpreter removes the outer quotes and keeps all others.
  return { file: shell, args: ['/d', '/s', '/c', `"${line}"`], options: { windowsVerbatimArguments: true } };
}
