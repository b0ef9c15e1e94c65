/** A page of the server in a webview that is reused, and comes back after *Reload Window*. */

import * as vscode from 'vscode';

import { pageColumn } from './beside';
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
}

export class Page<P> {
  private panel: vscode.WebviewPanel | undefined;
  private shown: P | undefined;

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
    return this.shown;
  }

  /** Shows a page, in the panel that is open. */
  async show(params: P): Promise<void> {
    const loaded = await this.settings.load(params);
    if (loaded !== undefined) {
      const panel = this.panel ?? this.adopt(vscode.window.createWebviewPanel(this.settings.type, loaded.shown.title, pageColumn(), OPTIONS));
      this.fill(panel, loaded.params, loaded.shown);
      panel.reveal(undefined, true);
    }
  }

  /** Sends a message to the page. A page that is hidden or not loaded yet does not receive it. */
  post(message: unknown): void {
    void this.panel?.webview.postMessage(message);
  }

  /** Whether this panel is open and shows the page. */
  private has(panel: vscode.WebviewPanel): boolean {
    return this.panel === panel;
  }

  private adopt(panel: vscode.WebviewPanel): vscode.WebviewPanel {
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.shown = undefined;
    });
    panel.webview.onDidReceiveMessage((message: unknown) => { void this.receive(message); });
    this.panel = panel;
    return panel;
  }

  private fill(panel: vscode.WebviewPanel, params: P, { title, html }: Shown): void {
    this.shown = params;
    panel.title = title;
    panel.webview.html = html;
    void this.storage.update(this.settings.type, params);
  }

  private async receive(message: unknown): Promise<void> {
    try {
      if (this.shown !== undefined) {
        await this.settings.receive(this.shown, message);
      }
    } catch (error) {
      complain(error);
    }
  }

  /**
   * Fills a panel of the window before it was reloaded. It is closed if its page is gone, and if there is a panel already. A page that
   * is asked for meanwhile fills it.
   */
  private async restore(panel: vscode.WebviewPanel): Promise<void> {
    if (this.panel !== undefined) {
      panel.dispose();
      return;
    }
    panel.webview.options = OPTIONS;
    this.adopt(panel);
    await this.up();
    const params = this.storage.get<P>(this.settings.type);
    const loaded = params === undefined ? undefined : await this.settings.load(params).catch(() => undefined);
    if (this.params !== undefined || !this.has(panel)) {
      return;
    }
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
