---@brief
---
--- Language server for eval suites: JSON files that describe how an AI assistant should behave. It lints suites, and shows
--- verdicts on the answers of the assistant.
---
--- The server starts for files that are called like suites, and for all JSON files below an `eval-ls.toml`. It ignores those that
--- are not suites. The plugin of eval-ls adds signs, a quickfix list, commands for runs, and an adapter for neotest.

---@type vim.lsp.Config
return {
  cmd = { 'eval-ls', 'lsp' },
  filetypes = { 'json', 'toml' },
  root_dir = function(bufnr, on_dir)
    local path = vim.api.nvim_buf_get_name(bufnr)
    local name, folder = vim.fs.basename(path), vim.fs.basename(vim.fs.dirname(path))
    local is_suite = name:find('eval-set', 1, true) or vim.endswith(name, '.evals.json') or folder == 'evals'
    local root = vim.fs.root(bufnr, 'eval-ls.toml')
    if name == 'eval-ls.toml' or (vim.bo[bufnr].filetype == 'json' and (root or is_suite)) then
      on_dir(root or vim.fs.root(bufnr, '.git') or vim.fs.dirname(path))
    end
  end,
}
