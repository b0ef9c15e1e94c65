-- Completions as plugins insert them: blink.cmp and nvim-cmp replace the range of the edit and expand its text with
-- `vim.snippet`, which indents it, whatever insert modes they announce. blink.cmp keeps a list while more is typed and moves the end of its
-- range, and adds brackets to functions. The plugins are in no package registry, so their steps are repeated here.
local t = _G.t

local SUITE = [[
{
  "name": "s", "version": "0.2.0",
  "cases": [
    {
      "id": "A", "prompt": "Show cats.",
      "expected": { "required_sources": ["x"], "must_say_any": ["a"], "must_not_say": ["b"],
        "sco
      }
    }
  ]
}]]

local WANTED = [[
      "expected": { "required_sources": ["x"], "must_say_any": ["a"], "must_not_say": ["b"],
        "scoring": {
          "hard_fail": [""],]]

--- The completion with this label at a place, from a client that announces these insert modes.
local function completion(buf, modes, label, line, character)
  local client_module = require('eval-ls.client')
  local config = vim.deepcopy(client_module.config())
  config.name = 'plugin'
  config.root_dir = vim.fs.dirname(vim.api.nvim_buf_get_name(buf))
  config.capabilities =
    vim.tbl_deep_extend('force', vim.lsp.protocol.make_client_capabilities(), config.capabilities or {}, {
      textDocument = { completion = { completionItem = { snippetSupport = true } } },
    })
  local item = config.capabilities.textDocument.completion.completionItem
  item.insertTextModeSupport = { valueSet = modes }
  -- Each set of modes needs a separate server.
  local id = assert(vim.lsp.start(config, {
    bufnr = buf,
    reuse_client = function()
      return false
    end,
  }))
  local client = vim.lsp.get_client_by_id(id)
  t.wait('the server', function()
    return client.initialized
  end)
  local list
  client_module.request(client, 'textDocument/completion', {
    textDocument = { uri = vim.uri_from_bufnr(buf) },
    position = { line = line, character = character },
  }, function(result)
    list = result
  end)
  t.wait('the list', function()
    return list
  end)
  t.stop(client)
  return vim.iter(list.items or list):find(function(found)
    return found.label == label
  end)
end

-- Neovim 0.10 offers the choices of a snippet 100 ms after it is expanded, also if it was stopped. In Normal mode this is an error.
rawset(vim.fn, 'complete', function() end)

for name, modes in pairs({ ['as it is'] = { 1 }, ['adjusted'] = { 1, 2 } }) do
  t.test('a completion of several lines is indented once: ' .. name, function()
    local folder = t.folder({ ['eval-ls.toml'] = '', ['a.evals.json'] = SUITE })
    local buf = t.edit(folder .. '/a.evals.json')
    vim.bo[buf].expandtab = true
    vim.bo[buf].shiftwidth = 2
    -- The cursor can be behind the last character, as in Insert mode.
    vim.wo.virtualedit = 'onemore'
    vim.api.nvim_win_set_cursor(0, { 7, 12 })
    local item = completion(buf, modes, 'scoring', 6, 12)
    t.equal(item.insertTextFormat, 2)
    local range = item.textEdit.range or item.textEdit.replace
    vim.api.nvim_buf_set_text(
      buf,
      range.start.line,
      range.start.character,
      range['end'].line,
      range['end'].character,
      {}
    )
    vim.api.nvim_win_set_cursor(0, { range.start.line + 1, range.start.character })
    vim.snippet.expand(item.textEdit.newText)
    vim.snippet.stop()
    local lines = vim.api.nvim_buf_get_lines(buf, 5, 8, true)
    t.equal(table.concat(lines, '\n'), WANTED)
  end)
end

t.test('a plugin that keeps a list while more is typed and adds brackets to functions inserts what is meant', function()
  local cases = [[
{ "version": "0.2.0", "cases": [ { "id": "A", "prompt": "p", "expected": {
"outcome": "",
"tool_calls_any": ["fi"],
"": ["x"] } },
{ "id": "B", "prompt": "q", "expected": { "tool_calls_any": ["filter_widget"] } } ] }]]
  local folder = t.folder({ ['eval-ls.toml'] = '', ['a.evals.json'] = cases })
  local buf = t.edit(folder .. '/a.evals.json')
  for line, place in pairs({
    { 12, 'to', 'tool_started', '"outcome": "tool_started",' },
    { 22, 'lter', 'filter_widget', '"tool_calls_any": ["filter_widget"],' },
    { 1, 'must', 'must_say_any', '"must_say_any": ["x"] } },' },
  }) do
    local character, typed, label, wanted = unpack(place)
    local item = completion(buf, { 1 }, label, line, character)
    vim.api.nvim_buf_set_text(buf, line, character, line, character, { typed })
    local kind = vim.lsp.protocol.CompletionItemKind[item.kind]
    local text = item.textEdit.newText .. ((kind == 'Function' or kind == 'Method') and '()' or '')
    local range = item.textEdit.range
    vim.api.nvim_buf_set_text(buf, line, range.start.character, line, range['end'].character + #typed, { text })
    t.equal({ item.insertTextFormat, vim.fn.getline(line + 1) }, { 1, wanted })
  end
end)

t.test("Neovim's own completion keeps the quote after the cursor", function()
  local suite = [[
{ "name": "s", "version": "0.2.0", "cases": [
{ "id": "A", "prompt": "p", "expected": {
"outcome": "tool_success",
"": ["x"] } } ] }]]
  local folder = t.folder({ ['eval-ls.toml'] = '', ['a.evals.json'] = suite })
  local child = t.child()
  child.lua('vim.cmd.edit(...)', folder .. '/a.evals.json')
  child.wait("require('eval-ls').verdicts() ~= nil")
  for _, place in ipairs({
    { 3, 12, 'tool_started', '"outcome": "tool_started",' },
    { 4, 1, 'must_say_any', '"must_say_any": ["x"] } } ] }' },
  }) do
    local line, column, label, wanted = unpack(place)
    child.lua('vim.fn.cursor(...)', line, column)
    child.input('ci"<C-x><C-o>')
    child.wait('vim.fn.pumvisible() == 1')
    for index, item in ipairs(child.lua('return vim.fn.complete_info({ "items" }).items')) do
      if item.abbr == label then
        child.input(('<C-n>'):rep(index - 1) .. '<C-y><Esc>')
      end
    end
    child.wait("vim.fn.mode() == 'n'")
    t.equal(child.lua('return vim.fn.getline(...)', line), wanted)
  end
  child.stop()
end)
