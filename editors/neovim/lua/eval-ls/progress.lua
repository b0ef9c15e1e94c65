--- Shows the progress of the server in the message area.
local M = {}

---@type table<string|integer, string> the last message by token: a report without a message changes only the percentage
local said = {}

--- @param params { token: string|integer, value: any } of `$/progress`
function M.show(params)
  local value = params.value
  if type(value) ~= 'table' or not value.kind or not require('eval-ls.options').get().progress then
    return
  end
  local is_over = value.kind == 'end'
  local text = value.message or (is_over and 'done') or said[params.token] or 'started'
  said[params.token] = not is_over and text or nil
  -- A longer line would need a key press. The outcome has the reason of a failure, so it is whole.
  text = is_over and text or vim.fn.strcharpart(text, 0, vim.o.columns - 20)
  if vim.fn.has('nvim-0.12') == 1 then
    vim.api.nvim_echo({ { text } }, is_over, {
      id = 'eval-ls.' .. params.token,
      kind = 'progress',
      source = 'eval-ls',
      title = not is_over and value.title or 'eval-ls',
      status = is_over and 'success' or 'running',
      percent = value.percentage,
    })
  else
    local percentage = value.percentage and (' %d%%'):format(value.percentage) or ''
    vim.api.nvim_echo({ { ('eval-ls: %s%s'):format(text, percentage) } }, is_over, {})
  end
end

return M
