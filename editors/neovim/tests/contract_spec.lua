-- Tests the plugin with a fake server, which can also produce rare messages. runs_spec.lua uses the real server.
local t = _G.t

local server = { requests = {}, answers = {}, last_id = 0 }

function server.cmd(dispatchers)
  local closing = false
  server.notify = function(method, params)
    dispatchers.notification(method, params)
  end
  server.ask = function(method)
    coroutine.wrap(dispatchers.server_request)(method, vim.NIL)
  end
  return {
    request = function(method, params, callback, notify_reply)
      table.insert(server.requests, { method, params })
      -- Requests are forgotten between tests, ids are not.
      server.last_id = server.last_id + 1
      local id = server.last_id
      local answer = server.answers[method]
      vim.schedule(function()
        -- As Neovim's own transport does: the request is no longer pending.
        if notify_reply then
          notify_reply(id)
        end
        if method == 'initialize' then
          callback(nil, {
            capabilities = { executeCommandProvider = { commands = {} }, inlayHintProvider = true },
            serverInfo = { name = 'fake' },
          })
        elseif type(answer) == 'function' then
          callback(answer(params))
        elseif answer then
          callback(nil, answer)
        else
          callback({ code = -32601, message = 'no such method' })
        end
      end)
      return true, id
    end,
    notify = function(method)
      if method == 'exit' then
        closing = true
        dispatchers.on_exit(0, 0)
      end
    end,
    is_closing = function()
      return closing
    end,
    terminate = function()
      closing = true
    end,
  }
end

--- The parameters of the last request of this method.
function server.last(method)
  for at = #server.requests, 1, -1 do
    if server.requests[at][1] == method then
      return server.requests[at][2]
    end
  end
end

if vim.lsp.config then
  vim.lsp.config('eval_ls', { cmd = server.cmd })
else
  vim.g.eval_ls = { lsp = { cmd = server.cmd } }
end

local SUITE = [[
{ "cases": [
  { "id": "A 🐈", "expected": { "must_say_any": ["x"] } },
  { "id": "B" },
  { "id": "C" },
  { "id": "D" },
  { "id": "E" }
] }]]

local function range(line, first, last)
  return { start = { line = line, character = first }, ['end'] = { line = line, character = last } }
end

-- Columns are in UTF-16, the default encoding: `A 🐈` is four units and six bytes long.
local function verdicts()
  return {
    target = 'agent',
    targets = { 'agent', 'replay' },
    summary = { pass = 1, partial = 0, fail = 1, error = 1, notRun = 1, running = 1, total = 5 },
    cases = {
      {
        id = 'A 🐈',
        range = range(1, 10, 16),
        status = 'FAIL',
        running = false,
        stale = false,
        failures = { { check = 'must_say_any', message = '`x` is not said', range = range(1, 49, 52) } },
      },
      { id = 'B', range = range(2, 10, 13), status = 'PASS', running = false, stale = false, failures = {} },
      { id = 'C', range = range(3, 10, 13), status = 'PASS', running = true, stale = false, failures = {} },
      { id = 'D', range = range(4, 10, 13), status = 'ERROR', stale = false, failures = {}, reason = 'no\n  answer' },
      { id = 'E', range = range(5, 10, 13), status = vim.NIL, stale = true, failures = {}, reason = vim.NIL },
    },
  }
end

local function tests(uri)
  local cases = {}
  for line, id in ipairs({ 'A 🐈', 'B', 'C', 'D', 'E' }) do
    table.insert(cases, { id = id, range = range(line, 10, 13), caseRange = range(line, 2, 15) })
  end
  return { suites = { { uri = uri, label = 'a', hash = '', cases = cases } } }
end

--- Opens a suite and waits for its server.
local function open()
  server.answers = {
    ['eval-ls/isSuite'] = { isSuite = true },
    ['eval-ls/verdicts'] = verdicts(),
    ['eval-ls/tests'] = function(params)
      return nil, tests(params.uri)
    end,
    ['eval-ls/run'] = { run = 1 },
    ['textDocument/inlayHint'] = {},
    ['workspace/executeCommand'] = function()
      return nil, nil
    end,
    shutdown = function()
      return nil, nil
    end,
  }
  local folder = t.folder({ ['.git/HEAD'] = '', ['a.evals.json'] = SUITE })
  local buf = t.edit(folder .. '/a.evals.json')
  t.attached(buf)
  t.wait('verdicts', function()
    return require('eval-ls').verdicts(buf)
  end)
  return buf, vim.uri_from_bufnr(buf)
end

local function signs(buf)
  local namespace = vim.api.nvim_get_namespaces()['eval-ls.verdicts']
  return vim.tbl_map(function(mark)
    return { mark[2], vim.trim(mark[4].sign_text), mark[4].sign_hl_group }
  end, vim.api.nvim_buf_get_extmarks(buf, namespace, 0, -1, { details = true }))
end

t.test('cases have signs', function()
  local buf = open()
  t.equal(signs(buf), {
    { 1, '✗', 'EvalFail' },
    { 2, '✓', 'EvalPass' },
    { 3, '●', 'EvalRunning' },
    { 4, '!', 'EvalError' },
  })
  -- E has no verdict, so it cannot be stale.
  t.equal(require('eval-ls').statusline(buf), '●1 ✓1 ✗1 !1 ○1 agent')
end)

t.test('the statusline names what the counts are about, and why a case could not be judged', function()
  local buf, uri = open()
  server.answers['eval-ls/verdicts'] = function()
    local changed = vim.tbl_extend('force', verdicts(), { about = 'by broken, old · next: agent' })
    changed.summary.reason = 'last run failed: 50% of a key'
    return nil, changed
  end
  server.notify('eval-ls/verdictsChanged', { uris = { uri } })
  t.wait('the statusline', function()
    local expected = '●1 ✓1 ✗1 !1 ○1 by broken, old · next: agent · last run failed: 50%% of a key'
    return require('eval-ls').statusline(buf) == expected
  end)
end)

t.test('signs follow the verdicts, and disappear with the server', function()
  local buf, uri = open()
  server.answers['eval-ls/verdicts'] = function()
    local changed = verdicts()
    changed.cases = { vim.tbl_extend('force', changed.cases[1], { status = 'PASS', stale = true }) }
    return nil, changed
  end
  server.notify('eval-ls/verdictsChanged', { uris = { uri, 'file:///not/open.json' } })
  t.wait('the sign', function()
    return vim.deep_equal(signs(buf), { { 1, '?', 'EvalStale' } })
  end)
  t.stop(vim.lsp.get_clients({ name = 'eval_ls', bufnr = buf })[1])
  t.wait('no sign', function()
    return #signs(buf) == 0 and require('eval-ls').statusline(buf) == ''
  end)
end)

t.test('verdicts on deleted lines are ignored', function()
  local buf, uri = open()
  vim.api.nvim_buf_set_lines(buf, 1, -1, true, {})
  local count = #server.requests
  server.notify('eval-ls/verdictsChanged', { uris = { uri } })
  t.wait('the answer', function()
    return #server.requests > count and #signs(buf) == 0
  end)
end)

t.test('a run fills the quickfix list, and edits update it', function()
  local buf, uri = open()
  vim.fn.setqflist({ { text = "somebody else's" } })
  server.notify(
    'eval-ls/runEvent',
    { kind = 'started', run = 7, target = 'agent', live = true, items = { { uri = uri, case = 'A 🐈' } } }
  )
  server.notify(
    'eval-ls/runEvent',
    { kind = 'caseFinished', run = 7, uri = uri, case = 'A 🐈', status = 'FAIL', failures = {} }
  )
  server.notify('eval-ls/runEvent', { kind = 'finished', run = 7, cancelled = false, reason = vim.NIL })
  t.wait('the list', function()
    return vim.fn.getqflist({ title = 0 }).title == 'eval-ls'
  end)
  -- Neovim 0.10 has no end positions.
  local items = vim.tbl_map(function(item)
    return { item.bufnr, item.lnum, item.col, t.is_modern and item.end_col, item.type, item.text }
  end, vim.fn.getqflist())
  local column = vim.fn.getline(2):find('"x"', 1, true)
  t.equal(items, {
    { buf, 2, column, t.is_modern and column + 3, 'E', 'A 🐈: `x` is not said' },
    { buf, 5, 11, t.is_modern and 14, 'E', 'D: no answer' },
  })
  -- The position in the list stays.
  vim.fn.setqflist({}, 'a', { idx = 2 })
  server.answers['eval-ls/verdicts'] = function()
    local changed = verdicts()
    changed.cases[4].reason = 'no key'
    return nil, changed
  end
  server.notify('eval-ls/verdictsChanged', { uris = { uri } })
  t.wait('the changed list', function()
    return (vim.fn.getqflist()[2] or {}).text == 'D: no key'
  end)
  t.equal(vim.fn.getqflist({ idx = 0 }).idx, 2)
  -- A run shows the list again.
  vim.cmd('silent colder')
  server.notify(
    'eval-ls/runEvent',
    { kind = 'started', run = 8, target = 'agent', live = true, items = { { uri = uri, case = 'A 🐈' } } }
  )
  server.notify('eval-ls/runEvent', { kind = 'finished', run = 8, cancelled = false, reason = vim.NIL })
  t.wait('the list again', function()
    return vim.fn.getqflist({ title = 0 }).title == 'eval-ls'
  end)
  server.answers['eval-ls/verdicts'] = function()
    local changed = verdicts()
    changed.cases = { changed.cases[2] }
    return nil, changed
  end
  server.notify('eval-ls/verdictsChanged', { uris = { uri } })
  t.wait('an empty list', function()
    return #vim.fn.getqflist() == 0
  end)
  t.equal(vim.fn.getqflist({ nr = '$' }).nr, 2, 'the other list is still there')
end)

t.test('a run that cannot start reports the reason', function()
  open()
  server.answers['eval-ls/run'] = function()
    return { code = -32803, message = 'the target `agent` was not allowed' }
  end
  t.notified = {}
  vim.cmd('EvalRun suite')
  t.wait('the message', function()
    return vim.deep_equal(t.notified, { 'eval-ls: the target `agent` was not allowed' })
  end)
end)

t.test('commands send the right requests', function()
  local _, uri = open()
  local function asked(command, method, expected)
    server.requests = {}
    vim.cmd(command)
    local params = t.wait(command, function()
      return server.last(method)
    end)
    t.equal(params, expected, command)
  end
  vim.api.nvim_win_set_cursor(0, { 3, 0 })
  asked('EvalRun', 'eval-ls/run', { suites = { { uri = uri, cases = { 'B' } } } })
  asked([[EvalRun case A\ 🐈 C]], 'eval-ls/run', { suites = { { uri = uri, cases = { 'A 🐈', 'C' } } } })
  asked('EvalRun suite', 'eval-ls/run', { suites = { { uri = uri } } })
  asked('EvalRun failed', 'workspace/executeCommand', { command = 'eval-ls.runFailed', arguments = { { uri = uri } } })
  server.notify(
    'eval-ls/runEvent',
    { kind = 'started', run = 1, target = 'replay', items = { { uri = uri, case = 'D' } } }
  )
  asked('EvalRun last', 'eval-ls/run', { suites = { { uri = uri, cases = { 'D' } } }, target = 'replay' })
  server.answers['eval-ls/stop'] = { stopped = 1 }
  asked('EvalStop', 'eval-ls/stop', {})
  asked('EvalStop C', 'eval-ls/stop', { uri = uri, case = 'C' })
  asked(
    'EvalTarget replay',
    'workspace/executeCommand',
    { command = 'eval-ls.chooseTarget', arguments = { { uri = uri, target = 'replay' } } }
  )
  asked('EvalTarget', 'workspace/executeCommand', { command = 'eval-ls.chooseTarget', arguments = { { uri = uri } } })
  asked(
    'EvalChallenge',
    'workspace/executeCommand',
    { command = 'eval-ls.challengeSuite', arguments = { { uri = uri } } }
  )
  asked('EvalResult B', 'workspace/executeCommand', {
    command = 'eval-ls.openResult',
    arguments = { { uri = uri, case = 'B' } },
  })
  asked('EvalStatus', 'workspace/executeCommand', { command = 'eval-ls.showStatus', arguments = { {} } })
end)

t.test('command arguments are completed', function()
  open()
  for line, expected in pairs({
    ['EvalRun '] = { 'case', 'failed', 'last', 'suite' },
    ['EvalRun f'] = { 'failed' },
    ['EvalRun case '] = { 'A\\ 🐈', 'B', 'C', 'D', 'E' },
    ['EvalRun suite '] = {},
    ['EvalStop D'] = { 'D' },
    ['EvalTarget '] = { 'agent', 'replay' },
  }) do
    t.equal(vim.fn.getcompletion(line, 'cmdline'), expected, line)
  end
end)

t.test('a transcript is shown beside the suite', function()
  local buf = open()
  server.answers['eval-ls/transcript'] = { text = '{\n  "case": "B"\n}\n' }
  vim.cmd('EvalTranscript B')
  t.wait('the transcript', function()
    return #vim.api.nvim_list_wins() == 2
  end)
  local there = vim.api.nvim_win_get_buf(vim.api.nvim_list_wins()[2])
  t.equal(vim.api.nvim_buf_get_name(there), 'eval-ls://transcript/B')
  t.equal(vim.api.nvim_buf_get_lines(there, 0, -1, true), { '{', '  "case": "B"', '}' })
  t.equal({ vim.bo[there].filetype, vim.bo[there].modifiable }, { 'json', false })
  t.equal(vim.api.nvim_get_current_buf(), buf, 'the cursor stays in the suite')
  vim.cmd.only()
  server.answers['eval-ls/transcript'] = function()
    return nil, nil
  end
  t.notified = {}
  vim.cmd('EvalTranscript E')
  t.wait('the message', function()
    return vim.deep_equal(t.notified, { 'eval-ls: case `E` has no transcript yet; run it first' })
  end)
end)

t.test('new hints are shown, even if the screen is drawn before they arrive', function()
  local hold
  local buf = open()
  local label = 'FAIL'
  server.answers['textDocument/inlayHint'] = function()
    return nil, { { position = { line = 2, character = 13 }, label = label } }
  end
  local function shown()
    if not t.is_modern then
      -- Neovim 0.10 does not draw without a screen.
      local known = vim.lsp.inlay_hint.get({ bufnr = buf })[1]
      return known and known.inlay_hint.label
    end
    local namespace
    for name, id in pairs(vim.api.nvim_get_namespaces()) do
      namespace = name:match('inlayhint$') and id or namespace
    end
    vim.cmd('redraw!')
    local mark = vim.api.nvim_buf_get_extmarks(buf, namespace, 0, -1, { details = true })[1]
    return mark and mark[4].virt_text[1][1]
  end
  server.ask('workspace/inlayHint/refresh')
  t.wait('the hint', function()
    return shown() == 'FAIL'
  end)
  label = 'PASS'
  hold = #server.requests
  server.ask('workspace/inlayHint/refresh')
  if t.is_modern then
    t.equal(shown(), 'FAIL', 'drawn before the answer')
  end
  t.wait('the new hint', function()
    return #server.requests > hold and shown() == 'PASS'
  end)
end)

t.test('hints of a request from before a refresh are replaced', function()
  if not t.is_modern then
    return
  end
  local client = { requests = { [7] = { type = 'pending', method = 'textDocument/inlayHint' } } }
  local get, handlers = vim.lsp.get_client_by_id, vim.lsp.handlers
  local refreshes = 0
  -- luacheck: push ignore 122
  vim.lsp.get_client_by_id = function()
    return client
  end
  vim.lsp.handlers = {
    ['textDocument/inlayHint'] = function() end,
    ['workspace/inlayHint/refresh'] = function()
      refreshes = refreshes + 1
    end,
  }
  local ok, problem = pcall(function()
    local hints = require('eval-ls.hints')
    hints.on_refresh(nil, nil, { client_id = 999 })
    hints.on_hints(nil, {}, { client_id = 999 })
    t.equal(refreshes, 1, 'a response is still to come')
    client.requests = {}
    hints.on_hints(nil, {}, { client_id = 999 })
    t.equal(refreshes, 2, 'the last response is shown')
    hints.on_hints(nil, {}, { client_id = 999 })
    t.equal(refreshes, 2)
  end)
  vim.lsp.get_client_by_id, vim.lsp.handlers = get, handlers
  -- luacheck: pop
  assert(ok, problem)
end)

t.test('progress is shown', function()
  open()
  local client = vim.lsp.get_clients({ name = 'eval_ls' })[1]
  local echo, shown = vim.api.nvim_echo, {}
  vim.api.nvim_echo = function(chunks, is_kept, opts)
    table.insert(shown, { chunks[1][1], opts.status, opts.percent or is_kept, opts.title })
  end
  for _, value in ipairs({
    { kind = 'begin', title = 'running', percentage = 0 },
    { kind = 'report', title = 'running', message = 'case A', percentage = 50 },
    { kind = 'end', title = 'running', message = '2 passed' },
  }) do
    vim.api.nvim_exec_autocmds('LspProgress', {
      pattern = value.kind,
      data = { client_id = client.id, params = { token = 1, value = value } },
    })
  end
  vim.api.nvim_echo = echo
  if t.is_modern then
    t.equal(shown, {
      { 'started', 'running', 0, 'running' },
      { 'case A', 'running', 50, 'running' },
      { '2 passed', 'success', true, 'eval-ls' },
    })
  else
    t.equal(vim.tbl_map(unpack, shown), { 'eval-ls: started 0%', 'eval-ls: case A 50%', 'eval-ls: 2 passed' })
  end
end)

t.test('disabled features are off', function()
  vim.g.eval_ls = vim.tbl_extend('force', vim.g.eval_ls or {}, { signs = false, quickfix = false })
  local buf, uri = open()
  t.equal(signs(buf), {})
  vim.fn.setqflist({}, 'f')
  server.notify('eval-ls/runEvent', { kind = 'started', run = 8, items = { { uri = uri, case = 'B' } } })
  local count = #server.requests
  server.notify('eval-ls/runEvent', { kind = 'finished', run = 8, cancelled = false })
  server.notify('eval-ls/verdictsChanged', { uris = { uri } })
  t.wait('the verdicts', function()
    return #server.requests > count
  end)
  t.equal(#vim.fn.getqflist(), 0)
end)
