-- The entry for nvim-lspconfig works by itself: in a Neovim without this plugin.
local t = _G.t

-- Opens a file, waits, and writes what the server says about it, and to which other buffers it is attached.
local CHILD = [[
vim.lsp.config('eval_ls', { cmd = { vim.env.EVAL_LS, 'lsp' } })
vim.lsp.enable('eval_ls')
local function edit(path)
  vim.cmd.edit(path)
  return vim.api.nvim_get_current_buf()
end
local other = edit('package.json')
local suite = edit(vim.env.SUITE)
local function has_findings()
  return #vim.diagnostic.get(suite) > 0
end
local found = vim.wait(15000, has_findings, 10)
local lines = { tostring(found), tostring(#vim.lsp.get_clients({ bufnr = other })) }
for _, client in ipairs(vim.lsp.get_clients({ bufnr = suite })) do
  table.insert(lines, client.name .. ' ' .. vim.fs.basename(client.root_dir))
end
for _, diagnostic in ipairs(vim.diagnostic.get(suite)) do
  table.insert(lines, diagnostic.code)
end
vim.fn.writefile(lines, 'report')
vim.cmd.qall({ bang = true })
]]

local function session(files, suite)
  local folder = t.folder(vim.tbl_extend('error', files, { ['package.json'] = '{}', ['child.lua'] = CHILD }))
  local entry = vim.fs.joinpath(vim.fn.getcwd(), '../nvim-lspconfig')
  local command =
    { vim.env.NVIM_PROGRAM, '--headless', '--clean', '--cmd', 'set noswapfile', '--cmd', 'set runtimepath^=' .. entry }
  vim.list_extend(command, { '-c', 'luafile child.lua' })
  local ended = vim.system(command, { cwd = folder, env = { SUITE = suite } }):wait(60000)
  t.equal(ended.code, 0, ended.stderr)
  return vim.fn.readfile(folder .. '/report'), vim.fs.basename(folder)
end

local FAULTY =
  '{ "version": "0.3.0", "cases": [{ "id": "A", "id": "B", "prompt": "p", "expected": { "must_say_any": ["x"] } }] }'

-- Neovim 0.10 has no `vim.lsp.enable()`.
if vim.lsp.enable then
  t.test('the entry for nvim-lspconfig starts for a suite, and not for other JSON', function()
    local report, root = session({ ['a.evals.json'] = FAULTY, ['.git/HEAD'] = '' }, 'a.evals.json')
    t.equal(report, { 'true', '0', 'eval_ls ' .. root, 'duplicate-key' })
  end)

  t.test('the entry for nvim-lspconfig starts for each JSON file below eval-ls.toml', function()
    local files = { ['checks/a.json'] = FAULTY, ['eval-ls.toml'] = '[files]\ninclude = ["checks/*.json"]\n' }
    local report, root = session(files, 'checks/a.json')
    t.equal(report, { 'true', '1', 'eval_ls ' .. root, 'duplicate-key' })
  end)
end
