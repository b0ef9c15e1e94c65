--- What users may call. Everything else is the plugin's own business.
local M = {}

--- The suite in a few characters, for a statusline: `✓3 ✗1 ○2 replay`. Empty where the buffer is no suite.
---
--- ```lua
--- vim.o.statusline = "%f %m%=%{%v:lua.require'eval-ls'.statusline()%} %l:%c"
--- ```
---@param buf? integer the buffer of the window whose statusline it is, where left out
---@return string
function M.statusline(buf)
  return require('eval-ls.verdicts').statusline(buf)
end

--- The last verdicts on a suite, as the server said them; `nil` where the buffer is no suite or nothing is known yet.
--- The autocommand `User EvalVerdicts` tells when there are others.
---@param buf? integer the current buffer where left out
---@return eval_ls.Verdicts?
function M.verdicts(buf)
  return require('eval-ls.verdicts').of(buf)
end

return M
