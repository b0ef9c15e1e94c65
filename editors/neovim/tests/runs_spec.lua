-- Runs with the real server and a command target.
local t = _G.t

local CONFIG = [[
[run]
target = "agent"

[targets.agent]
kind = "command"
command = ["sh", "agent.sh"]

[targets.slow]
kind = "command"
command = ["sh", "-c", "sleep 100"]
]]

local AGENT = [[
read -r request
case "$request" in
  *more*) echo '{"response": "ho 🐈 ho"}' ;;
  *) echo '{"response": "hi"}' ;;
esac
]]

local SUITE = [[
{
  "name": "s", "version": "0.2.0",
  "cases": [
    {
      "id": "A 🐈", "prompt": "Say more.", "expected": { "must_say_any": ["hu"] }
    },
    {
      "id": "B",
      "prompt": "Say hi.",
      "expected": { "must_say_any": ["hi"] }
    }
  ]
}]]

-- The questions to the user, and the answer.
local asked, answer = {}, 'Allow and run'
vim.ui.select = function(items, opts, on_choice)
  table.insert(asked, opts.prompt)
  for _, item in ipairs(items) do
    local text = opts.format_item and opts.format_item(item) or item
    if text:find(answer, 1, true) then
      return on_choice(item)
    end
  end
  on_choice(nil)
end

local function open(config)
  asked, answer, t.notified = {}, 'Allow and run', {}
  vim.fn.setqflist({}, 'f')
  local folder = t.folder({ ['eval-ls.toml'] = config or CONFIG, ['agent.sh'] = AGENT, ['a.evals.json'] = SUITE })
  local buf = t.edit(folder .. '/a.evals.json')
  local client = t.attached(buf)
  t.wait('verdicts', function()
    return require('eval-ls').verdicts(buf)
  end)
  return buf, client
end

local function signs(buf)
  local namespace = vim.api.nvim_get_namespaces()['eval-ls.verdicts']
  return vim.tbl_map(function(mark)
    return { mark[2] + 1, vim.trim(mark[4].sign_text) }
  end, vim.api.nvim_buf_get_extmarks(buf, namespace, 0, -1, { details = true }))
end

local function signs_are(buf, expected)
  t.wait('signs ' .. vim.inspect(expected), function()
    return vim.deep_equal(signs(buf), expected)
  end)
end

local function failed_checks(buf)
  return vim.tbl_filter(function(diagnostic)
    return diagnostic.lnum == 4 and diagnostic.message:find('hu', 1, true)
  end, vim.diagnostic.get(buf))
end

t.test('sign, diagnostic and quickfix list agree on a run, also after an edit', function()
  local buf = open()
  vim.api.nvim_win_set_cursor(0, { 6, 0 })
  vim.cmd('EvalRun')
  signs_are(buf, { { 5, '✗' } })
  t.equal(#asked, 1)
  t.contains(asked[1], 'sh agent.sh')
  local list = t.wait('the quickfix list', function()
    local list = vim.fn.getqflist()
    return #list > 0 and list
  end)
  local column = vim.fn.getline(5):find('["hu"]', 1, true)
  t.equal({ #list, list[1].bufnr, list[1].lnum, list[1].col }, { 1, buf, 5, column })
  local diagnostic = t.wait('the diagnostic', function()
    return failed_checks(buf)[1]
  end)
  -- The diagnostic is at the only phrase of the list.
  t.equal({ diagnostic.lnum, diagnostic.col }, { 4, column })
  t.equal(require('eval-ls').statusline(), '✗1 ○1 agent')

  -- The same answer is judged again; the target is not asked again.
  t.replace(buf, 5, '"hu"', '"ho"')
  signs_are(buf, { { 5, '✓' } })
  t.wait('an empty list', function()
    return #vim.fn.getqflist() == 0
  end)
  t.wait('no diagnostic', function()
    return #failed_checks(buf) == 0
  end)
  t.equal(require('eval-ls').statusline(), '✓1 ○1 agent')

  vim.cmd('EvalRun suite')
  signs_are(buf, { { 5, '✓' }, { 8, '✓' } })
  t.equal(#asked, 1, 'the answer is remembered')
  t.wait('the last message', function()
    return vim.endswith(vim.fn.execute('messages'), 'eval-ls: All 2 cases passed')
  end)
end)

t.test('a refused target does not run', function()
  local buf = open()
  answer = 'Do not run'
  vim.cmd('EvalRun suite')
  t.wait('the message', function()
    return vim.iter(t.notified):any(function(message)
      return message:find('was not allowed to run, so it ran no case', 1, true) ~= nil
    end)
  end)
  t.equal(signs(buf), {})
end)

t.test('a run is stopped', function()
  open((CONFIG:gsub('target = "agent"', 'target = "slow"')))
  vim.cmd('EvalRun suite')
  t.wait('a running case', function()
    return require('eval-ls').statusline():find('●', 1, true)
  end)
  local over
  vim.api.nvim_create_autocmd('User', {
    pattern = 'EvalRunFinished',
    once = true,
    callback = function(event)
      over = event.data.counts
    end,
  })
  vim.cmd('EvalStop')
  t.wait('the end', function()
    return over
  end)
  t.wait('no running case', function()
    return not require('eval-ls').statusline():find('●', 1, true)
  end)
end)

t.test('ids are completed from the suite', function()
  open()
  t.equal(vim.fn.getcompletion('EvalRun case ', 'cmdline'), { 'A\\ 🐈', 'B' })
end)

t.test('the result and the transcript are shown', function()
  local buf = open()
  vim.cmd([[EvalRun case A\ 🐈]])
  signs_are(buf, { { 5, '✗' } })
  local function shown(kind)
    local name = t.wait('the ' .. kind, function()
      return vim.iter(vim.api.nvim_list_wins()):find(function(window)
        return vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window)):find(kind, 1, true) ~= nil
      end)
    end)
    return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(name), 0, -1, true), '\n')
  end
  vim.api.nvim_win_set_cursor(0, { 5, 0 })
  vim.cmd('EvalResult')
  t.contains(shown('eval-ls/pages/'), 'FAIL')
  vim.cmd('EvalTranscript')
  t.contains(shown('eval-ls://transcript/'), 'ho 🐈 ho')
  vim.cmd.only()
end)

--- Waits for a page in the browser that `action` opens, and returns its text.
local function opened_page(action)
  local opened
  local ui_open = vim.ui.open
  vim.ui.open = function(path)
    opened = path
    return {
      wait = function()
        return { code = 0 }
      end,
    }
  end
  action()
  t.wait('the page', function()
    return opened
  end)
  vim.ui.open = ui_open
  local file = vim.startswith(opened, 'file:') and vim.uri_to_fname(opened) or opened
  t.contains(file, '.html')
  local page = table.concat(vim.fn.readfile(file), '\n')
  t.contains(page, "default-src 'none'")
  return page
end

t.test('the cursor goes to failing cases', function()
  local buf = open()
  vim.cmd('EvalNext')
  t.contains(table.concat(t.notified, ' '), 'no case of this suite has failed')
  vim.cmd('EvalRun suite')
  signs_are(buf, { { 5, '✗' }, { 8, '✓' } })
  t.replace(buf, 10, '"hi"', '"ho"')
  signs_are(buf, { { 5, '✗' }, { 8, '✗' } })
  local lines = {}
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  for _, command in ipairs({ 'EvalNext', 'EvalNext', 'EvalNext', 'EvalNext!' }) do
    vim.cmd(command)
    table.insert(lines, vim.api.nvim_win_get_cursor(0)[1])
  end
  t.equal(lines, { 5, 8, 5, 8 })
end)

t.test('the report of the last run opens in the browser', function()
  local buf = open()
  vim.cmd('EvalRun suite')
  signs_are(buf, { { 5, '✗' }, { 8, '✓' } })
  local page = opened_page(function()
    vim.cmd('EvalReport')
  end)
  t.contains(page, '1 of 2 cases passed')
end)

t.test('a target can be selected', function()
  local buf = open()
  vim.cmd('EvalTarget slow')
  t.wait('the target', function()
    return require('eval-ls').verdicts(buf).target == 'slow'
  end)
  t.equal(vim.fn.getcompletion('EvalTarget ', 'cmdline'), { 'agent', 'replay', 'slow' })
  answer = 'agent'
  vim.cmd('EvalTarget')
  t.wait('the other target', function()
    return require('eval-ls').verdicts(buf).target == 'agent'
  end)
end)

t.test('pages from the server open beside the suite', function()
  local buf = open()
  vim.cmd('EvalStatus')
  local page = t.wait('the page', function()
    local window = vim.api.nvim_list_wins()[2]
    return window and vim.api.nvim_win_get_buf(window)
  end)
  local text = table.concat(vim.api.nvim_buf_get_lines(page, 0, -1, false), '\n')
  t.contains(text, '## `' .. vim.uri_from_bufnr(buf))
  t.contains(text, 'agent')
  t.equal(vim.bo[page].filetype, 'markdown')
  t.equal(vim.api.nvim_get_current_buf(), buf)
  vim.cmd.only()
end)

t.test('grx runs the case, and the lens and the sign agree', function()
  local buf = open()
  local function lens(title)
    local lenses = vim.lsp.codelens.get(t.is_modern and { bufnr = buf } or buf)
    return vim.iter(lenses):any(function(found)
      found = found.lens or found
      return found.range.start.line == 4 and found.command.title:find(title, 1, true) ~= nil
    end)
  end
  t.wait('the lens', function()
    return lens('Run case')
  end)
  vim.api.nvim_win_set_cursor(0, { 5, 0 })
  answer = 'Run case'
  vim.cmd.normal('grx')
  -- A single lens on the line runs at once, so the only question is the approval of the target.
  answer = 'Allow and run'
  signs_are(buf, { { 5, '✗' } })
  t.wait('the lens', function()
    return lens('FAIL')
  end)
  t.wait('the quickfix list', function()
    return #vim.fn.getqflist() == 1
  end)
  t.replace(buf, 5, '"hu"', '"ho"')
  t.wait('the lens after the edit', function()
    return lens('PASS')
  end)
end)

t.test('failed cases and the last run can be repeated', function()
  local buf = open()
  vim.cmd('EvalRun suite')
  signs_are(buf, { { 5, '✗' }, { 8, '✓' } })
  local ran
  vim.api.nvim_create_autocmd('User', {
    pattern = 'EvalRunFinished',
    callback = function(event)
      ran = event.data.counts
    end,
  })
  vim.cmd('EvalRun failed')
  t.wait('the failed case', function()
    return vim.deep_equal(ran, { FAIL = 1 })
  end)
  ran = nil
  vim.cmd('EvalRun last')
  t.wait('the failed case again', function()
    return vim.deep_equal(ran, { FAIL = 1 })
  end)
end)

t.test('a hostile name and a hostile answer run nothing', function()
  local evil = [[let g:evil = 1 | call writefile([], 'evil')]]
  local id = ('A | %s | %%{execute("%s")} `touch evil` \27:%s\r'):format(evil, 'let g:evil = 1', evil)
  local target = '50% | ' .. evil
  local suite =
    { name = id, version = '0.2.0', cases = { { id = id, prompt = id, expected = { must_say_any = { id } } } } }
  local response = ('# vim: set foldexpr=%s:\n%s'):format([[execute('let\ g\:evil\ =\ 1')]], id)
  local folder = t.folder({
    ['eval-ls.toml'] = ('[run]\ntarget = "%s"\n[targets."%s"]\nkind = "command"\ncommand = ["sh", "agent.sh"]\n'):format(
      target,
      target
    ),
    ['agent.sh'] = 'echo evil >evil',
    ['eval-ls'] = '#!/bin/sh\necho evil >evil\n',
    ['a.evals.json'] = vim.json.encode(suite),
    ['transcripts/a.evals/a.json'] = vim.json.encode({
      format = 'eval-ls/transcript@1',
      case = id,
      prompt = id,
      response = response,
    }),
  })
  vim.fn.setfperm(folder .. '/eval-ls', 'rwxr-xr-x')
  vim.cmd.cd(vim.fn.fnameescape(folder))
  local buf = t.edit(folder .. '/a.evals.json')
  t.attached(buf)
  t.wait('verdicts', function()
    return require('eval-ls').verdicts(buf)
  end)
  asked, answer = {}, 'Do not run'
  vim.o.statusline = "%{%v:lua.require'eval-ls'.statusline()%}"
  t.contains(vim.api.nvim_eval_statusline(vim.o.statusline, {}).str, '50% |')
  for _, command in ipairs({ 'EvalRun case ', 'EvalResult ', 'EvalTranscript ', 'EvalTarget ' }) do
    for _, completed in ipairs(vim.fn.getcompletion(command, 'cmdline')) do
      vim.cmd(command .. completed)
    end
  end
  t.wait('the question', function()
    return #asked > 0
  end)
  vim.cmd.redraw()
  t.equal({ vim.g.evil, vim.fn.filereadable(folder .. '/evil') }, { nil, 0 })
end)
