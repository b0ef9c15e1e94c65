/** A separate VS Code for each test file, with separate user data, a free port and the extension. */

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

export interface WindowSettings {
  /** Files of the workspace, by their path in it. */
  files: Record<string, string>;
  /** Settings in addition to those that keep the editor quiet. */
  settings?: Record<string, unknown>;
  /** Open the workspace in Restricted Mode. */
  restricted?: boolean;
  /** The folders of a workspace with several folders, which are in the folder of the files. */
  roots?: string[];
}

/** Features unrelated to the extension that could cover it. */
const QUIET = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.ignoreRecommendations': true,
  'remote.autoForwardPorts': false,
  'git.enabled': false,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
  'workbench.colorTheme': 'Default Dark Modern',
  'editor.minimap.enabled': false,
  'editor.cursorBlinking': 'solid',
  'editor.accessibilitySupport': 'off',
  'window.commandCenter': false,
  // The documentation has pictures of these windows.
  'window.title': '${activeEditorShort}${separator}${rootName}',
  'chat.commandCenter.enabled': false,
};

export class CodeServer {
  private constructor(
    readonly url: string,
    /** The workspace's folder. */
    readonly folder: string,
    private readonly scratch: string,
    /** The value of `XDG_STATE_HOME` in this editor and in what it starts. */
    private readonly state: string,
    private readonly child: ChildProcess,
  ) {}

  static async start({ files, settings = {}, restricted = false, roots = [] }: WindowSettings): Promise<CodeServer> {
    const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'eval-ls-e2e-')));
    const folder = path.join(scratch, 'workshop');
    const data = path.join(scratch, 'data');
    fs.mkdirSync(folder);
    for (const [name, text] of Object.entries(files)) {
      write(path.join(folder, name), text);
    }
    write(path.join(data, 'User/settings.json'), JSON.stringify({ ...QUIET, ...settings }));
    const args = [
      env('E2E_CODE_SERVER'), '--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-telemetry', '--disable-update-check',
      '--user-data-dir', data, '--extensions-dir', env('E2E_EXTENSIONS'), '--config', path.join(scratch, 'config.yaml'),
      ...(restricted ? [] : ['--disable-workspace-trust']),
    ];
    // The tested server must not use the state of the user.
    const state = path.join(scratch, 'state');
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, XDG_STATE_HOME: state, XDG_DATA_HOME: state, XDG_CONFIG_HOME: state },
    });
    const url = await address(child);
    const workspace = path.join(scratch, 'two.code-workspace');
    write(workspace, JSON.stringify({ folders: roots.map((name) => ({ path: path.join(folder, name) })) }));
    const opened = roots.length === 0 ? `folder=${encodeURIComponent(folder)}` : `workspace=${encodeURIComponent(workspace)}`;
    return new CodeServer(`${url}?${opened}`, folder, scratch, state, child);
  }

  read(name: string): string {
    return fs.readFileSync(path.join(this.folder, name), 'utf8');
  }

  /** Writes a file of the workspace. */
  write(name: string, text: string): void {
    write(path.join(this.folder, name), text);
  }

  /** Removes a file of the workspace. */
  remove(name: string): void {
    fs.rmSync(path.join(this.folder, name));
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

  /** Whether the workspace has this file or folder. */
  exists(name: string): boolean {
    return fs.existsSync(path.join(this.folder, name));
  }

  /** Processes of the language server in this editor. Other editors with the same extension can be open. */
  languageServers(): number[] {
    return processes((pid) => {
      const [program, subcommand] = commandLine(pid);
      return program?.startsWith(env('E2E_EXTENSIONS')) === true && subcommand === 'lsp'
        && fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`XDG_STATE_HOME=${this.state}`);
    });
  }

  /** The processes that run a script of the workspace. */
  scripts(name: string): number[] {
    return processes((pid) => commandLine(pid).includes(name) && fs.readlinkSync(`/proc/${pid}/cwd`) === this.folder);
  }

  stop(): void {
    if (this.child.pid !== undefined) {
      process.kill(-this.child.pid, 'SIGTERM');
    }
    fs.rmSync(this.scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

export function env(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`${name} is not set: start the end-to-end tests with \`npm run e2e\``);
  }
  return value;
}

/** The processes that match. */
function processes(matches: (pid: number) => boolean): number[] {
  return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
    try {
      return matches(pid);
    } catch {
      // The process has ended, or belongs to another user.
      return false;
    }
  });
}

function commandLine(pid: number): string[] {
  return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

function address(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (data: Buffer): void => {
      said += data.toString();
      const found = /HTTP server listening on (http:\S+)/.exec(said)?.[1];
      if (found !== undefined) {
        resolve(found.endsWith('/') ? found : `${found}/`);
      }
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', () => { reject(new Error(`code-server ended:\n${said}`)); });
  });
}
