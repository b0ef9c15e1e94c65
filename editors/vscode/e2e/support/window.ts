/** A window: VS Code with separate user data and the extension, in a separate browser. It opens one workspace after the other. */

import { spawn, type ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

import { chromium, type BrowserContext, type Page } from 'playwright-core';

import { env } from './environment';
import { Workspace, write, type WorkspaceSettings } from './workspace';

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
  'git.openRepositoryInParentFolders': 'never',
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
  ) {}

  static async start(): Promise<Window> {
    opened.windows += 1;
    const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'eval-ls-e2e-')));
    const args = [
      env('E2E_CODE_SERVER'), '--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-telemetry', '--disable-update-check',
      '--user-data-dir', path.join(scratch, 'data'), '--extensions-dir', env('E2E_EXTENSIONS'), '--config', path.join(scratch, 'config.yaml'),
    ];
    // The tested server must not use the state of the user.
    const state = path.join(scratch, 'state');
    const server = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, XDG_STATE_HOME: state, XDG_DATA_HOME: state, XDG_CONFIG_HOME: state },
    });
    const url = await address(server);
    // A browser with a profile keeps compiled code from one workspace to the next.
    const browser = await chromium.launchPersistentContext(path.join(scratch, 'browser'), {
      executablePath: env('E2E_CHROMIUM'),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
    browser.setDefaultTimeout(PATIENCE_MS);
    return new Window(scratch, server, url, browser, browser.pages()[0] ?? await browser.newPage());
  }

  /** Opens a new workspace, which ends all that belongs to the previous one. */
  async open(wishes: WorkspaceSettings): Promise<Workspace> {
    opened.workspaces += 1;
    write(path.join(this.scratch, 'data/User/settings.json'), JSON.stringify({ ...QUIET, ...wishes.settings }));
    const workspace = Workspace.create(path.join(this.scratch, String(opened.workspaces)), wishes);
    await this.page.setViewportSize({ width: 1280, height: 800 });
    await this.page.goto(`${this.url}?${workspace.query}`);
    await this.page.locator('.monaco-workbench .explorer-folders-view .monaco-list-row').first().waitFor();
    return workspace;
  }

  async close(): Promise<void> {
    await this.browser.close();
    if (this.server.pid !== undefined) {
      process.kill(-this.server.pid, 'SIGTERM');
    }
    fs.rmSync(this.scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

function address(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (data: Buffer): void => {
      said += data.toString();
      const found = /HTTP server listening on (http:\S+)/.exec(said)?.[1];
      if (found !== undefined) {
        resolve(found.endsWith('/') ? found : `${found}/`);
      }
    };
    server.stdout?.on('data', listen);
    server.stderr?.on('data', listen);
    server.once('exit', () => { reject(new Error(`code-server ended:\n${said}`)); });
  });
}
