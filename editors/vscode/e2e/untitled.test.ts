/** Suites without a file, and files that are not open. */

import { SUITE, WITH_TYPO } from './support/files';
import { scenarios } from './support/scenario';

// The editor must not add brackets to the text.
const AS_TYPED = { 'editor.autoClosingBrackets': 'never', 'editor.autoIndent': 'none' };

scenarios('untitled', { files: { 'evals/week.json': SUITE }, settings: AS_TYPED }, {
  'a document without a file has findings and completions': async (workbench) => {
    // The list of languages can lack the language until a suite has it.
    await workbench.openSuite('week.json');
    await workbench.press('Control+Alt+n', workbench.page.locator('.tab.active', { hasText: 'Untitled' }));
    await workbench.command('Change Language Mode');
    await workbench.page.getByPlaceholder('Select Language Mode').fill('Eval Suite');
    await workbench.quickPick('Eval Suite').click();
    await workbench.waitForLanguage('Eval Suite');
    await workbench.focusSuite();
    await workbench.page.keyboard.insertText(WITH_TYPO);
    await workbench.page.keyboard.press('Control+Home');
    await workbench.findings().first().waitFor();
    await workbench.lens('Run case').first().waitFor();
    await workbench.status('2 not run').waitFor();
    await workbench.shot('untitled');
  },

  'it is saved before it runs': async (workbench) => {
    await workbench.lens('Run case').first().click();
    const message = workbench.notification('save the suite first');
    await message.waitFor();
    await workbench.shot('untitled-run');
    await message.getByRole('button', { name: 'Save' }).click();
    await workbench.page.locator('.quick-input-widget', { hasText: 'Save As' }).waitFor();
    await workbench.shot('untitled-save');
    await workbench.page.keyboard.press('Escape');
  },
});

scenarios('closed', { files: { 'evals/week.json': WITH_TYPO, 'evals/other.json': WITH_TYPO, 'eval-ls.toml': '' } }, {
  'Problems has the findings of suites that are not open': async (workbench) => {
    const rows = await workbench.problems();
    await rows.filter({ hasText: 'other.json' }).first().waitFor();
    await rows.filter({ hasText: 'week.json' }).first().waitFor();
    await rows.filter({ hasText: 'must_sya_any' }).nth(1).waitFor();
    await workbench.shot('closed-problems');
  },

  'a setting leaves them out': async (workbench) => {
    workbench.server.settings({ 'eval-ls.workspaceDiagnostics': false });
    await workbench.page.locator('.markers-panel .monaco-list-row').first().waitFor({ state: 'detached' });
  },
});
