/** VS Code's window in a real browser, and the actions of a user. */

import * as fs from 'node:fs';
import * as path from 'node:path';

import { chromium, type Browser, type FrameLocator, type Locator, type Page } from 'playwright-core';

import { CodeServer, env, type WindowSettings } from './codeServer';

/** Upper limit of every wait, for busy machines; waits end as soon as their condition is met. */
const PATIENCE_MS = 30_000;

export class Workbench {
  private constructor(readonly server: CodeServer, private readonly browser: Browser, readonly page: Page) {}

  static async open(wishes: WindowSettings): Promise<Workbench> {
    const server = await CodeServer.start(wishes);
    const browser = await chromium.launch({
      executablePath: env('E2E_CHROMIUM'),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(PATIENCE_MS);
    const files = page.locator('.monaco-workbench .explorer-folders-view .monaco-list-row').first();
    // On a busy machine, a window can fail to open. It opens again.
    for (let left = 2; ; left -= 1) {
      await page.goto(server.url);
      try {
        await files.waitFor();
        return new Workbench(server, browser, page);
      } catch (error) {
        if (left === 0) {
          await browser.close();
          server.stop();
          throw error;
        }
      }
    }
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server.stop();
  }

  /** Waits for a condition that no locator has. */
  async until(holds: () => boolean | Promise<boolean>): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    while (!(await holds())) {
      if (Date.now() > end) {
        throw new Error(`the condition was not met within ${PATIENCE_MS} ms: ${holds.toString()}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Presses keys until an element is shown. An editor that is still busy can miss a key. */
  async press(keys: string, shown: Locator): Promise<void> {
    for (let left = 5; ; left -= 1) {
      await this.page.keyboard.press(keys);
      try {
        await shown.waitFor({ timeout: 6000 });
        return;
      } catch (error) {
        if (left === 0) throw error;
      }
    }
  }

  /** Shows the hover at the cursor, again until it has what is wanted. */
  async hover(shown: Locator): Promise<void> {
    for (let left = 5; ; left -= 1) {
      await this.page.keyboard.press('Control+k');
      await this.page.keyboard.press('Control+i');
      try {
        await shown.waitFor({ timeout: 6000 });
        return;
      } catch (error) {
        if (left === 0) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  async shot(name: string): Promise<void> {
    await this.page.screenshot({ path: path.join(env('E2E_SHOTS'), `${name}.png`), animations: 'disabled', caret: 'initial' });
  }

  /** A picture of the upper part of the editor, for an animation. */
  async frame(): Promise<Buffer> {
    const clip = { x: 348, y: 30, width: 760, height: 550 };
    return this.page.screenshot({ clip, animations: 'disabled', caret: 'initial' });
  }

  /** Opens a file of the workspace. */
  async openFile(name: string): Promise<void> {
    await (await this.quickInput('Control+p')).fill(name);
    const base = path.basename(name);
    await this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: base }).waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.locator(`.tab.active[data-resource-name="${base}"]`).waitFor();
    await this.editor().locator('.view-line').first().waitFor();
  }

  /** Opens a suite by its name, and waits until the server has recognized it. */
  async openSuite(name: string): Promise<void> {
    await this.openFile(name);
    await this.waitForLanguage('Eval Suite');
  }

  /**
   * Has VS Code save the layout of its editors, until it has a webview of this type. VS Code saves it when the window loses the focus.
   * At a reload it starts to, but a busy browser ends before it is stored.
   */
  async saveLayoutWith(webviewType: string): Promise<void> {
    await this.until(() => this.page.evaluate<boolean>(`(${SAVE_LAYOUT})(${JSON.stringify(webviewType)})`));
  }

  /** Reloads the window. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.locator('.monaco-workbench .explorer-folders-view, .monaco-workbench .editor-instance').first().waitFor();
  }

  /** The question whether a target may run. */
  question(text: string): Locator {
    return this.page.locator('.monaco-dialog-box', { hasText: text });
  }

  /** Opens a suite of the Test Explorer. */
  async expand(label: string): Promise<void> {
    const row = this.testItem(label);
    await row.waitFor();
    if (await row.getAttribute('aria-expanded') !== 'true') {
      await row.click();
      await this.page.keyboard.press('ArrowRight');
    }
  }

  /** Opens an input with a key. A page that has the focus passes keys on only when it is loaded, so the key is pressed again. */
  private async quickInput(key: string): Promise<Locator> {
    const input = this.page.locator('.quick-input-widget input').first();
    for (let left = 5; ; left -= 1) {
      await this.page.keyboard.press(key);
      try {
        await input.waitFor({ timeout: 6000 });
        return input;
      } catch (error) {
        if (left === 0) throw error;
      }
    }
  }

  /** Types into the input that opens files and runs commands. */
  async type(text: string): Promise<void> {
    await (await this.quickInput('F1')).fill(text);
  }

  /** Runs a command of the palette by its title. */
  async command(title: string): Promise<void> {
    await (await this.quickInput('F1')).fill(`>${title}`);
    await this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title }).waitFor();
    await this.page.keyboard.press('Enter');
  }

  /** Runs a command that offers a choice, and chooses. The list closes if something else takes the focus, so it opens again. */
  async choose(title: string, text: string): Promise<void> {
    for (let left = 5; ; left -= 1) {
      await this.command(title);
      try {
        await this.quickPick(text).click({ timeout: 6000 });
        return;
      } catch (error) {
        if (left === 0) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /** Runs an action; takes a picture if it fails. */
  async watched(name: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      await this.shot(`failed-${name}`);
      fs.writeFileSync(path.join(env('E2E_SHOTS'), `failed-${name}.html`), await this.page.content());
      throw error;
    }
  }

  quickPick(text: string): Locator {
    return this.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
  }

  /** The active editor. */
  editor(): Locator {
    return this.page.locator('.editor-group-container.active .monaco-editor').first();
  }

  /** The line with this text, including hints. Only lines in view exist on the page. */
  line(text: string | RegExp): Locator {
    return this.editor().locator('.view-line', { hasText: text }).first();
  }

  /** Places the cursor after the only occurrence of this text. */
  async putCursorAfter(text: string): Promise<void> {
    // Focus the first editor group, wherever the focus is.
    await this.page.keyboard.press('Control+1');
    await this.page.keyboard.press('Control+Home');
    await this.page.keyboard.press('Control+f');
    const find = this.page.locator('.find-widget.visible textarea.input').first();
    await find.fill(text);
    await this.page.locator('.find-widget.visible .matchesCount', { hasText: /of [1-9]/ }).waitFor();
    await this.page.keyboard.press('Enter');
    const widget = this.page.locator('.find-widget.visible');
    // The first key may close a notification instead.
    await this.until(async () => {
      await this.page.keyboard.press('Escape');
      return await widget.waitFor({ state: 'detached', timeout: 2000 }).then(() => true, () => false);
    });
    await this.page.keyboard.press('ArrowRight');
  }

  /** Gives the focus to the first editor. */
  async focusSuite(): Promise<void> {
    await this.page.keyboard.press('Control+1');
    await this.editor().locator('.view-line').first().waitFor();
  }

  /** Renames what is before the cursor after this text. */
  async rename(after: string, name: string): Promise<void> {
    await this.putCursorAfter(after);
    const input = this.page.locator('.rename-box input');
    await this.press('F2', input);
    await input.fill(name);
    await this.page.keyboard.press('Enter');
    await this.line(`"id": "${name}"`).waitFor();
  }

  /** Deletes text before the cursor, character by character. */
  async erase(text: string): Promise<void> {
    for (let left = text.length; left > 0; left -= 1) {
      await this.page.keyboard.press('Backspace');
    }
  }

  /** Closes the open editor. */
  async closeTab(): Promise<void> {
    await this.page.locator('.editor-group-container.active .tab.active .codicon-close').click();
  }

  /** The lens with this title. */
  lens(text: string | RegExp): Locator {
    return this.editor().locator('.codelens-decoration a', { hasText: text });
  }

  /** The page in Markdown's preview. */
  preview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  /** The language that the status bar names. */
  async waitForLanguage(name: string): Promise<void> {
    await this.page.locator('#status\\.editor\\.mode', { hasText: name }).waitFor();
  }

  /** Shows the Test Explorer. */
  async showTests(): Promise<void> {
    const explorer = this.page.locator('.test-explorer');
    // A click on the icon hides a view that is shown, for example one that is back after a reload.
    await this.until(async () => {
      if (!await explorer.isVisible()) {
        // The badge is above the icon and passes clicks on.
        await this.page.locator('.activitybar .action-label[aria-label^="Testing"]').click({ force: true });
      }
      return await explorer.waitFor({ timeout: 3000 }).then(() => true, () => false);
    });
  }

  /** A suite or a case in the Test Explorer, in the state that is given, such as “Failed”. */
  testItem(label: string, state = ''): Locator {
    return this.page.locator(`.test-explorer .monaco-list-row[aria-label*="(${state}"]`, { hasText: new RegExp(`^\\s*${label}`) });
  }

  /** The selected suggestion, if it starts with this text. */
  suggestion(text: string): Locator {
    return this.page.locator('.suggest-widget.visible .monaco-list-row.focused', { hasText: text });
  }

  /** Underlined errors and warnings. */
  findings(): Locator {
    return this.editor().locator('.squiggly-error, .squiggly-warning');
  }

  /** The status bar item of the suite. */
  status(text: string | RegExp): Locator {
    return this.page.locator('.statusbar-item[id^="eval-ls"]', { hasText: text });
  }

  notification(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text });
  }

  /** The problems in the order of the list. */
  async problems(): Promise<Locator> {
    await this.command('Problems: Focus on Problems View');
    const rows = this.page.locator('.markers-panel .monaco-list-row');
    await rows.first().waitFor();
    return rows;
  }
}

/** Runs in the page: lets VS Code save, and returns whether the stored layout has a webview of this type. */
const SAVE_LAYOUT = `async (type) => {
  for (const [hasFocus, event] of [[true, 'focus'], [false, 'blur']]) {
    document.hasFocus = () => hasFocus;
    window.dispatchEvent(new FocusEvent(event));
    await new Promise((resolve) => setTimeout(resolve));
  }
  const result = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  for (const { name } of await indexedDB.databases()) {
    if (name.startsWith('vscode-web-state-db-')) {
      const database = await result(indexedDB.open(name));
      const layout = await result(database.transaction('ItemTable').objectStore('ItemTable').get('memento/workbench.parts.editor'));
      database.close();
      if (typeof layout === 'string' && layout.includes(type)) {
        return true;
      }
    }
  }
  return false;
}`;
