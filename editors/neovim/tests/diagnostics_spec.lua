local t = _G.t

local SUITE = [[
{
  "name": "s", "version": "0.2.0",
  "cases": [
    { "id": "A", "prompt": "Show 🐈 cats.", "exepcted": { "must_say_any": ["dog"] } },
    { "id": "B", "prompt": "Say hi.", "expected": { "must_say_any": ["yo"] } }
  ]
}]]

local function findings(buf)
  return vim.tbl_map(function(diagnostic)
    return { diagnostic.code, diagnostic.lnum, diagnostic.col, diagnostic.end_col }
  end, vim.diagnostic.get(buf))
end

t.test('a finding after an emoji has exact columns', function()
  local folder = t.folder({ ['.git/HEAD'] = '', ['a.evals.json'] = SUITE })
  local buf = t.edit(folder .. '/a.evals.json')
  t.attached(buf)
  local line = vim.api.nvim_buf_get_lines(buf, 3, 4, true)[1]
  local first, last = line:find('"exepcted"', 1, true)
  local found = t.wait('a finding', function()
    local found = vim.tbl_filter(function(finding)
      return finding[1] == 'unknown-key'
    end, findings(buf))
    return #found > 0 and found
  end)
  t.equal(found, { { 'unknown-key', 3, first - 1, last } })
end)

t.test('a saved configuration takes effect at once', function()
  local folder = t.folder({ ['eval-ls.toml'] = '', ['a.evals.json'] = SUITE })
  local buf = t.edit(folder .. '/a.evals.json')
  t.attached(buf)
  local function has_finding()
    return vim.iter(findings(buf)):any(function(finding)
      return finding[1] == 'unknown-key'
    end)
  end
  t.wait('a finding', has_finding)
  local config = t.edit(folder .. '/eval-ls.toml')
  vim.api.nvim_buf_set_lines(config, 0, -1, true, { '[lints]', 'unknown-key = "off"' })
  vim.cmd.write()
  t.wait('no finding', function()
    return not has_finding()
  end)
end)

t.test('renaming a case moves its transcript', function()
  local transcript = '{ "format": "eval-ls/transcript@1", "case": "B", "response": "hi" }'
  local folder = t.folder({
    ['eval-ls.toml'] = '',
    ['evals/a.json'] = SUITE,
    ['evals/transcripts/a/B.json'] = transcript,
  })
  local buf = t.edit(folder .. '/evals/a.json')
  t.attached(buf)
  vim.fn.cursor(5, 14)
  vim.lsp.buf.rename('NEW')
  t.wait('the renamed transcript', function()
    return vim.uv.fs_stat(folder .. '/evals/transcripts/a/NEW.json')
  end)
  t.equal(vim.uv.fs_stat(folder .. '/evals/transcripts/a/B.json'), nil)
  vim.cmd('silent wall')
  t.contains(table.concat(vim.fn.readfile(folder .. '/evals/transcripts/a/NEW.json')), '"case": "NEW"')
end)

t.test('a missing program is reported once', function()
  local client = require('eval-ls.client')
  local config = client.config
  client.config = function()
    return { cmd = { 'no-such-eval-ls', 'lsp' } }
  end
  t.notified = {}
  vim.notify = function(message)
    table.insert(t.notified, message)
  end
  client.check_program()
  client.check_program()
  client.config = config
  t.equal(t.notified, { 'eval-ls: `no-such-eval-ls` was not found; see `:checkhealth eval-ls`' })
end)

t.test('an edit is checked, and a code action fixes it', function()
  local folder = t.folder({ ['.git/HEAD'] = '', ['a.evals.json'] = SUITE })
  local buf = t.edit(folder .. '/a.evals.json')
  t.attached(buf)
  t.wait('findings', function()
    return #vim.diagnostic.get(buf) > 0
  end)
  vim.fn.search('exepcted')
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title:find('expected', 1, true) ~= nil
    end,
  })
  t.wait('the fix', function()
    return vim.fn.getline(4):find('"expected"', 1, true)
  end)
  t.wait('no findings', function()
    return #vim.diagnostic.get(buf) == 0
  end)
  t.replace(buf, 5, '"B"', '"A"')
  t.wait('a finding', function()
    return vim.iter(vim.diagnostic.get(buf)):any(function(diagnostic)
      return diagnostic.code == 'duplicate-case-id'
    end)
  end)
end)

t.test('the server does not attach to other JSON files', function()
  local folder = t.folder({ ['.git/HEAD'] = '', ['package.json'] = '{}', ['a.evals.json'] = SUITE })
  t.attached(t.edit(folder .. '/a.evals.json'))
  local other = t.edit(folder .. '/package.json')
  t.equal(vim.lsp.get_clients({ bufnr = other }), {})
end)

t.test('the workspace is the folder of eval-ls.toml', function()
  local folder = t.folder({ ['.git/HEAD'] = '', ['w/eval-ls.toml'] = '', ['w/evals/a.json'] = SUITE })
  t.equal(t.attached(t.edit(folder .. '/w/evals/a.json')).root_dir, folder .. '/w')
end)

t.test('a crashed server is restarted, a stopped server is not', function()
  local folder = t.folder({ ['.git/HEAD'] = '', ['a.evals.json'] = SUITE })
  local buf = t.edit(folder .. '/a.evals.json')
  local client = t.attached(buf)
  local pids = vim.api.nvim_get_proc_children(vim.fn.getpid())
  for _, pid in ipairs(pids) do
    vim.uv.kill(pid, 'sigkill')
  end
  local again = t.wait('another server', function()
    local another = vim.lsp.get_clients({ name = 'eval_ls', bufnr = buf })[1]
    return another and another.id ~= client.id and another.initialized and another
  end)
  t.replace(buf, 5, '"B"', '"A"')
  t.wait('its findings', function()
    return vim.iter(vim.diagnostic.get(buf)):any(function(diagnostic)
      return diagnostic.code == 'duplicate-case-id'
    end)
  end)
  t.stop(again)
  t.wait('the end', function()
    return #vim.lsp.get_clients({ name = 'eval_ls', bufnr = buf }) == 0
  end)
  vim.wait(100)
  t.equal(#vim.lsp.get_clients({ name = 'eval_ls', bufnr = buf }), 0)
  vim.tbl_map(t.stop, vim.lsp.get_clients({ name = 'eval_ls' }))
  t.wait('no server', function()
    return #vim.lsp.get_clients({ name = 'eval_ls' }) == 0
  end)
  vim.cmd('EvalRun')
  t.contains(t.notified[#t.notified], 'the server is not running; `:edit` starts it')
end)
