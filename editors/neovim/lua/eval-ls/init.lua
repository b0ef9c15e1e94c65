--- The public functions of the plugin. Everything else is internal.
local M = {}

--- The suite in a few characters, for a statusline: `✓3 ✗1 ○2 replay`. Empty if the buffer is not a suite.
---
--- ```lua
--- vim.o.statusline = "%f %m%=%{%v:lua.require'eval-ls'.statusline()%} %l:%c"
--- ```
---@param buf? integer default: the buffer of the statusline's window
---@return string
function M.statusline(buf)
  return require('eval-ls.verdicts').statusline(buf)
end

--- The last verdicts from the server; `nil` if the buffer is not a suite or has no verdicts yet.
--- The autocommand `User EvalVerdicts` announces changes.
---@param buf? integer default: the current buffer
---@return eval_ls.VerdictsResult?
function M.verdicts(buf)
  return require('eval-ls.verdicts').of(buf)
end

return M
