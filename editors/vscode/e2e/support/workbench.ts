/** VS Code's window in a real browser, and the actions of a user. */

import * as path from 'node:path';

import type { FrameLocator, Locator, Page } from 'playwright-core';

import { env, PATIENCE_MS } from './window';
import type { Workspace } from './workspace';

/**
 * Time until an action is repeated. The editor answers some keys once, with what it knows at that moment, and a page that is
 * still loading passes no keys on. A key that comes again too early hides what the one before has shown.
 */
const AGAIN_MS = 6000;

export class Workbench {
  constructor(readonly workspace: Workspace, readonly page: Page) {}

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

  /** Presses keys, one after the other, until an element is shown. */
  async press(keys: string, shown: Locator): Promise<void> {
    await this.again(async () => {
      for (const key of keys.split(' ')) {
        await this.page.keyboard.press(key);
      }
    }, shown);
  }

  /** Repeats an action until an element is shown. */
  async again(act: () => Promise<void>, shown: Locator): Promise<void> {
    await this.until(async () => {
      await act();
      return await shown.waitFor({ timeout: AGAIN_MS }).then(() => true, () => false);
    });
  }

  /** Replaces the settings of the workspace until an element is shown: a loaded machine may lose the event of a file that is written. */
  async settings(settings: Record<string, unknown>, shown: Locator): Promise<void> {
    await this.again(() => {
      this.workspace.settings(settings);
      return Promise.resolve();
    }, shown);
  }

  /** Shows the hover at the cursor, again until it has what is wanted. */
  async hover(shown: Locator): Promise<void> {
    await this.press('Escape Control+k Control+i', shown);
  }

  /** Lists the fixes at the cursor, again until one has this title. */
  async offer(title: string): Promise<void> {
    await this.press('Escape Control+.', this.page.locator('.action-widget .monaco-list-row', { hasText: title }));
  }

  /** Runs the suite with its key. */
  async runSuite(): Promise<void> {
    await this.focusSuite();
    await this.page.keyboard.press('Control+Alt+Shift+r');
  }

  /** Runs the case at the cursor with its key. */
  async runCase(): Promise<void> {
    await this.focusSuite();
    await this.page.keyboard.press('Control+Alt+r');
  }

  async shot(name: string): Promise<void> {
    await this.page.screenshot({ path: path.join(env('E2E_SHOTS'), `${name}.png`), animations: 'disabled', caret: 'initial' });
  }

  /** Opens a file of the workspace. */
  async openFile(name: string): Promise<void> {
    await this.find(name, name);
    await this.quickInput().press('Enter');
    await this.page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
    await this.focused().waitFor();
  }

  /** Opens a suite by its name, and waits until the server has recognized it. */
  async openSuite(name: string): Promise<void> {
    await this.openFile(name);
    await this.waitForLanguage('Eval Suite');
  }

  /**
   * Reloads the window. VS Code saves the layout of its editors when the window loses the focus. At a reload it starts to, but
   * a busy browser ends before it is stored. So it is saved before, until it has a webview of this type.
   */
  async reload(webviewType = ''): Promise<void> {
    await this.until(() => this.page.evaluate<boolean>(`(${SAVE_LAYOUT})(${JSON.stringify(webviewType)})`));
    await this.page.reload();
    await this.page.locator('.monaco-workbench .explorer-folders-view, .monaco-workbench .editor-instance').first().waitFor();
  }

  /** The question whether a target may run. */
  question(text: string): Locator {
    return this.page.locator('.monaco-dialog-box', { hasText: text });
  }

  /** Lets a program start. */
  async allow(program: string): Promise<void> {
    await this.question(program).getByRole('button', { name: 'Allow and run' }).click();
  }

  /** Opens a suite of the Test Explorer. */
  async expand(label: string): Promise<void> {
    const row = this.testItem(label);
    await this.until(async () => {
      if (await row.getAttribute('aria-expanded') === 'true') {
        return true;
      }
      await row.click();
      await this.page.keyboard.press('ArrowRight');
      return false;
    });
  }

  /** Clicks a button of a suite or a case in the Test Explorer. */
  async clickTest(label: string, button: string): Promise<void> {
    const row = this.testItem(label);
    await row.hover();
    await row.locator(`.action-label[aria-label*="${button}"]`).click();
  }

  /** Runs a command of the palette by its title. */
  async command(title: string): Promise<void> {
    await this.find(`>${title}`, title);
    // A list that is drawn again meanwhile loses the key.
    await this.until(async () => {
      await this.quickInput().press('Enter');
      return await this.quickPick(title).waitFor({ state: 'hidden', timeout: AGAIN_MS }).then(() => true, () => false);
    });
  }

  /** Opens the list of files, or of commands after `>`, and types until an item with this label is selected. */
  async find(text: string, label: string): Promise<void> {
    await this.press('Control+p', this.quickInput());
    await this.select(text, label);
  }

  /** Runs a command that offers choices, and chooses. */
  async choose(title: string, ...choices: string[]): Promise<void> {
    await this.command(title);
    for (const choice of choices) {
      await this.pick(choice);
    }
  }

  /** Chooses from the open list. */
  async pick(label: string): Promise<void> {
    await this.quickPick(label).waitFor();
    await this.select(label, label);
    await this.quickInput().press('Enter');
  }

  /** Types into the open list until an item is selected. A list that still opens drops the text; others lack what comes later. */
  private async select(text: string, label: string): Promise<void> {
    const selected = this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: label });
    await this.again(async () => {
      await this.quickInput().fill('');
      await this.quickInput().fill(text);
    }, selected);
  }

  /** The input above the open list. */
  quickInput(): Locator {
    return this.page.locator('.quick-input-widget input').first();
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
    await this.focusSuite();
    await this.page.keyboard.press('Control+Home');
    const widget = this.page.locator('.find-widget.visible');
    const input = widget.locator('textarea.input').first();
    await this.press('Control+f', input);
    await input.fill(text);
    await widget.locator('.matchesCount', { hasText: /of [1-9]/ }).waitFor();
    await input.press('Enter');
    // The first key may close a notification instead.
    await this.until(async () => {
      await this.page.keyboard.press('Escape');
      return await widget.count() === 0;
    });
    await this.focused().waitFor();
    await this.page.keyboard.press('ArrowRight');
  }

  /** Gives the focus to the first editor, wherever it is. */
  async focusSuite(): Promise<void> {
    await this.press('Control+1', this.focused());
  }

  /** The active editor, if it has the focus. */
  private focused(): Locator {
    return this.page.locator('.editor-group-container.active .monaco-editor.focused').first();
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

  /** Waits until lenses are shown, and none with this text. All of them are away while they are drawn again. */
  async lensesWithout(text: string | RegExp): Promise<void> {
    await this.until(async () => {
      const lenses = await this.lens('').allInnerTexts();
      return lenses.length > 0 && !lenses.some((lens) => lens.search(text) >= 0);
    });
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
    await this.command('View: Show Testing');
    await this.page.locator('.test-explorer').waitFor();
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

  /** Clicks an item of the status bar until an element is shown: a click is lost if the item is drawn again meanwhile. */
  async clickStatus(text: string, shown: Locator): Promise<void> {
    await this.again(() => this.status(text).click(), shown);
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
