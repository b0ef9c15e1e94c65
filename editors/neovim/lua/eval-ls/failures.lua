--- Goes from one case that did not pass to the next.
local M = {}

--- Places the cursor at the next case whose status is FAIL or ERROR, or at the previous one; starts again at the other end.
---@param direction 1|-1
function M.go(direction)
  local verdicts = require('eval-ls.verdicts').of()
  local failed = vim.tbl_filter(function(case)
    return not case.running and (case.status == 'FAIL' or case.status == 'ERROR')
  end, verdicts and verdicts.cases or {})
  if #failed == 0 then
    return require('eval-ls.client').notify('no case of this suite has failed')
  end
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local first, last, step = 1, #failed, 1
  if direction < 0 then
    first, last, step = #failed, 1, -1
  end
  local found = failed[first]
  for place = first, last, step do
    if (failed[place].range.start.line - line) * direction > 0 then
      found = failed[place]
      break
    end
  end
  -- The jump list has the place before.
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_cursor(0, { found.range.start.line + 1, 0 })
  vim.cmd('normal! ^')
end

return M
