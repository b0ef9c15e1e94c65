/** A window: VS Code with separate user data and the extension, in a separate browser. It opens one workspace after the other. */

import { spawn, type ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Readable } from 'node:stream';

import { chromium, type BrowserContext, type Page } from 'playwright-core';

import { Workspace, write } from './workspace';

export interface WorkspaceSettings {
  /** Files of the workspace, by their path in it. */
  files: Record<string, string>;
  /** Settings of the user, in addition to those that keep the editor quiet. */
  settings?: Record<string, unknown>;
  /** The folders of a workspace with several folders, which are in the folder of the files. */
  roots?: string[];
  /** Default: the extension with a program. */
  edition?: Edition;
}

/** The extension with a program, or the one that runs in the browser. */
export type Edition = 'program' | 'browser';

/** Upper limit of every wait, for busy machines; waits end as soon as their condition is met. */
export const PATIENCE_MS = 60_000;

/** Features unrelated to the extension that could cover it, and what depends on the focus or on time. */
const QUIET = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.quickOpen.closeOnFocusLost': false,
  'workbench.commandPalette.history': 0,
  'telemetry.telemetryLevel': 'off',
  'extensions.ignoreRecommendations': true,
  'remote.autoForwardPorts': false,
  'git.enabled': false,
  'security.workspace.trust.enabled': false,
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

/** What the tests have started and opened. */
export const opened = { windows: 0, workspaces: 0 };

export class Window {
  private constructor(
    private readonly scratch: string,
    private readonly server: ChildProcess,
    private readonly url: string,
    private readonly browser: BrowserContext,
    readonly page: Page,
    readonly edition: Edition,
  ) {}

  static async start(edition: Edition = 'program'): Promise<Window> {
    opened.windows += 1;
    const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'eval-ls-e2e-')));
    // The tested server must not use the state of the user.
    const state = path.join(scratch, 'state');
    const server = spawn(process.execPath, [
      env('E2E_CODE_SERVER'), '--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-telemetry', '--disable-update-check',
      '--user-data-dir', path.join(scratch, 'data'), '--extensions-dir', path.join(env('E2E_EXTENSIONS'), edition), '--config', path.join(scratch, 'config.yaml'),
    ], {
      stdio: ['ignore', 'pipe', fs.openSync(path.join(env('E2E_SHOTS'), 'code-server.log'), 'a')],
      detached: true,
      env: { ...process.env, XDG_STATE_HOME: state, XDG_DATA_HOME: state, XDG_CONFIG_HOME: state },
    });
    const url = await address(server.stdout);
    // A browser with a profile keeps compiled code from one workspace to the next.
    const browser = await chromium.launchPersistentContext(path.join(scratch, 'browser'), {
      executablePath: env('E2E_CHROMIUM'),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
    browser.setDefaultTimeout(PATIENCE_MS);
    return new Window(scratch, server, url, browser, browser.pages()[0] ?? await browser.newPage(), edition);
  }

  /** Opens a new workspace, which ends all that belongs to the previous one. */
  async open({ files, settings, roots }: WorkspaceSettings): Promise<Workspace> {
    opened.workspaces += 1;
    // The previous workspace ends, and VS Code forgets what it has stored in the browser.
    await this.page.goto('about:blank');
    const session = await this.browser.newCDPSession(this.page);
    await session.send('Storage.clearDataForOrigin', { origin: new URL(this.url).origin, storageTypes: 'indexeddb,local_storage' });
    const folder = path.join(this.scratch, String(opened.workspaces), 'workshop');
    const several = path.join(folder, '../two.code-workspace');
    const workspace = new Workspace(folder);
    Object.entries(files).forEach(([name, text]) => { workspace.write(name, text); });
    write(several, JSON.stringify({ folders: roots?.map((name) => ({ path: path.join(folder, name) })) }));
    write(path.join(this.scratch, 'data/User/settings.json'), JSON.stringify({ ...QUIET, ...settings }));
    await this.page.setViewportSize({ width: 1280, height: 800 });
    const address = `${this.url}?${new URLSearchParams(roots === undefined ? { folder } : { workspace: several }).toString()}`;
    await this.load(address).catch(async () => {
      // Seen on a loaded machine: VS Code listed no file until the time was over, and why is not known.
      const picture = path.join(env('E2E_SHOTS'), `loaded-again-${opened.workspaces}.png`);
      await this.page.screenshot({ path: picture });
      console.log(`VS Code showed no file, and was loaded again; before: ${picture}`);
      await this.load(address);
    });
    return workspace;
  }

  /** Loads VS Code, until it lists the files of the workspace. */
  private async load(address: string): Promise<void> {
    await this.page.goto(address);
    await this.page.locator('.monaco-workbench .explorer-folders-view .monaco-list-row').first().waitFor();
  }

  async close(): Promise<void> {
    await this.browser.close();
    if (this.server.pid !== undefined) {
      process.kill(-this.server.pid, 'SIGTERM');
    }
    fs.rmSync(this.scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

async function address(stdout: Readable | null): Promise<string> {
  let said = '';
  for await (const data of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    said += String(data);
    const found = /HTTP server listening on (http:\S+)/.exec(said)?.[1];
    if (found !== undefined) {
      stdout?.resume();
      return found;
    }
  }
  throw new Error(`code-server ended, see code-server.log beside the pictures:\n${said}`);
}

/** What `scripts/e2e.mjs` passes to the tests. */
export function env(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`${name} is not set: start the end-to-end tests with \`npm run e2e\``);
  }
  return value;
}
