/** A page of the server in a webview that is reused, and comes back after *Reload Window*. */

import * as vscode from 'vscode';

import { complain } from './complaint';
import type { Server } from './server/server';

/** What a page shows. */
export interface Shown {
  title: string;
  html: string;
}

export interface PageSettings<P> {
  /** The type of the webview; also the key under which the parameters are stored. */
  type: string;
  /** Asks for the page; `undefined` if there is nothing to show. */
  load: (params: P) => Promise<{ params: P; shown: Shown } | undefined>;
  /** Handles a message of the page. */
  receive: (params: P, message: unknown) => Promise<void>;
  column: vscode.ViewColumn;
}

export class Page<P> {
  private open: { panel: vscode.WebviewPanel; params: P } | undefined;

  constructor(
    private readonly server: Server,
    private readonly storage: vscode.Memento,
    private readonly settings: PageSettings<P>,
    subscriptions: vscode.ExtensionContext['subscriptions'],
  ) {
    subscriptions.push(vscode.window.registerWebviewPanelSerializer(settings.type, {
      deserializeWebviewPanel: (panel) => this.restore(panel),
    }));
  }

  /** What the page shows now. */
  get params(): P | undefined {
    return this.open?.params;
  }

  /** Shows a page, in the panel that is open. */
  async show(params: P): Promise<void> {
    const loaded = await this.settings.load(params);
    if (loaded !== undefined) {
      const panel = this.open?.panel ?? vscode.window.createWebviewPanel(this.settings.type, loaded.shown.title, this.settings.column, OPTIONS);
      this.fill(panel, loaded.params, loaded.shown);
      panel.reveal(undefined, true);
    }
  }

  /** Sends a message to the page. A page that is hidden or not loaded yet does not receive it. */
  post(message: unknown): void {
    void this.open?.panel.webview.postMessage(message);
  }

  private fill(panel: vscode.WebviewPanel, params: P, { title, html }: Shown): void {
    if (this.open?.panel !== panel) {
      panel.onDidDispose(() => { this.open = this.open?.panel === panel ? undefined : this.open; });
      panel.webview.onDidReceiveMessage((message: unknown) => { void this.receive(message); });
    }
    this.open = { panel, params };
    panel.title = title;
    panel.webview.html = html;
    void this.storage.update(this.settings.type, params);
  }

  private async receive(message: unknown): Promise<void> {
    try {
      if (this.open !== undefined) {
        await this.settings.receive(this.open.params, message);
      }
    } catch (error) {
      complain(error);
    }
  }

  /** Fills a panel of the window before it was reloaded. It is closed if its page is gone. */
  private async restore(panel: vscode.WebviewPanel): Promise<void> {
    panel.webview.options = OPTIONS;
    await this.up();
    const params = this.storage.get<P>(this.settings.type);
    const loaded = params === undefined ? undefined : await this.settings.load(params).catch(() => undefined);
    if (loaded === undefined) {
      panel.dispose();
    } else {
      this.fill(panel, loaded.params, loaded.shown);
    }
  }

  private async up(): Promise<void> {
    if (!this.server.isUp) {
      await new Promise<void>((resolve) => {
        const started = this.server.onUp(() => { started.dispose(); resolve(); });
      });
    }
  }
}

const OPTIONS: vscode.WebviewPanelOptions & vscode.WebviewOptions = { enableScripts: true, localResourceRoots: [], enableFindWidget: true };
