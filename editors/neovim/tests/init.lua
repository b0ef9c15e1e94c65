-- Runs before the plugin is loaded, as a user's init.lua does.
local program = vim.env.EVAL_LS
if vim.lsp.config then
  vim.lsp.config('eval_ls', { cmd = { program, 'lsp' } })
else
  vim.g.eval_ls = { lsp = { cmd = { program, 'lsp' } } }
end
