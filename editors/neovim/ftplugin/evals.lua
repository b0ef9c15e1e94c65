-- Autocommands for the filetype `json` usually start tree-sitter, but they do not run for `json.evals`. Without the parser,
-- the syntax file of JSON highlights suites.
local buf = vim.api.nvim_get_current_buf()
local has_parser = #vim.api.nvim_get_runtime_file('parser/json.*', false) > 0
local has_queries = #vim.api.nvim_get_runtime_file('queries/json/highlights.scm', false) > 0
if has_parser and has_queries and require('eval-ls.options').get().treesitter then
  pcall(vim.treesitter.start, buf, 'json')
  vim.b.undo_ftplugin = (vim.b.undo_ftplugin and vim.b.undo_ftplugin .. ' | ' or '') .. 'lua pcall(vim.treesitter.stop)'
end
