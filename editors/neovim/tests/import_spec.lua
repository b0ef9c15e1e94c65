-- A log of conversations becomes a suite.
local t = _G.t

local LOG = [[
{"messages":[{"role":"user","content":"Which prompt repair takes longest?"},{"role":"assistant","content":"The gear hub: it needs 3 hours."}]}
{"messages":[{"role":"user","content":"Who repairs order 7?"}]}
]]

-- Chooses the first answer of each question.
local asked = {}
vim.ui.select = function(items, opts, on_choice)
  table.insert(asked, opts.prompt)
  on_choice(items[1], 1)
end

--- Waits until the suite is shown in this window, and what the program has printed beside it.
local function imported(suite, place)
  t.wait('the suite', function()
    return vim.endswith(vim.api.nvim_buf_get_name(0), suite) and vim.bo.filetype == 'json.evals'
  end)
  local page = t.wait('the page', function()
    for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      local buf = vim.api.nvim_win_get_buf(window)
      if vim.w[window].eval_ls then
        return table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, true), '\n')
      end
    end
  end)
  t.contains(page, '1 case of 2 conversations')
  t.contains(page, 'the last question has no answer: ' .. place)
  local buf = vim.api.nvim_get_current_buf()
  t.attached(buf)
  t.wait('verdicts', function()
    return require('eval-ls').verdicts(buf)
  end)
  t.equal(vim.diagnostic.get(buf), {})
  t.equal(require('eval-ls').statusline(), '✓1 replay')
end

t.test('by its code action', function()
  local folder = t.folder({ ['.git/HEAD'] = '', ['logs/week.jsonl'] = LOG })
  local buf = t.edit(folder .. '/logs/week.jsonl')
  t.attached(buf)
  t.equal(vim.diagnostic.get(buf), {})
  vim.lsp.buf.code_action({
    filter = function(action)
      return action.title == 'Import conversations as a suite'
    end,
    apply = true,
  })
  imported('/logs/week.evals.json', 'line 2')
  t.equal(#asked, 1)
  t.contains(asked[1], '/logs/week.jsonl` as a suite?')
end)

t.test('by the command, also if the file is JSON and has changes', function()
  vim.cmd('only!')
  local folder = t.folder({ ['.git/HEAD'] = '', ['day.json'] = '[\n' .. vim.trim(LOG):gsub('\n', ',\n') .. '\n]' })
  local buf = t.edit(folder .. '/day.json')
  t.replace(buf, 2, 'Which', 'What')
  vim.cmd('EvalImport')
  imported('/day.evals.json', 'element 2')
  t.contains(table.concat(vim.fn.readfile(folder .. '/day.evals.json')), 'What prompt repair')
end)

t.test('a large file is not sent to the server', function()
  local folder = t.folder({ ['.git/HEAD'] = '', ['huge.jsonl'] = (LOG):rep(90000) })
  local buf = t.edit(folder .. '/huge.jsonl')
  t.equal(require('eval-ls.suites').is_served(buf), false)
  t.equal(vim.lsp.get_clients({ name = 'eval_ls', bufnr = buf }), {})
end)
