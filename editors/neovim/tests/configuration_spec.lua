-- The server in an eval-ls.toml.
local t = _G.t

t.test('an eval-ls.toml has findings, and other TOML files have no server', function()
  local folder = t.folder({ ['eval-ls.toml'] = '[run]\njob = 2\n', ['Cargo.toml'] = '', ['a.evals.json'] = '{}' })
  local suite = t.edit(folder .. '/a.evals.json')
  t.attached(suite)
  local other = t.edit(folder .. '/Cargo.toml')
  local config = t.edit(folder .. '/eval-ls.toml')
  t.attached(config)
  t.equal(#vim.lsp.get_clients({ name = 'eval_ls' }), 1)
  t.equal(#vim.lsp.get_clients({ bufnr = other, name = 'eval_ls' }), 0)
  local found = t.wait('a finding', function()
    local found = vim.diagnostic.get(config)
    return #found > 0 and found
  end)
  t.equal(found[1].message, 'unknown key `job` in `run`; did you mean `jobs`?')
end)
