--- Shows a text of the server in a window of its own.
local M = {}

--- Shows a case's result or transcript; a window that shows such a text already is used again.
---@param kind 'result'|'transcript'
---@param case string
---@param text string
function M.show(kind, case, text)
  local name = ('eval-ls://%s/%s'):format(kind, vim.uri_encode(case))
  local buf = vim.fn.bufnr('^' .. vim.fn.escape(name, '?*[{\\,') .. '$')
  if buf < 0 then
    buf = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buf, name)
    vim.bo[buf].bufhidden = 'wipe'
    vim.bo[buf].filetype = kind == 'result' and 'markdown' or 'json'
    vim.keymap.set('n', 'q', '<C-W>c', { buffer = buf, desc = 'Close this window' })
  end
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(text, '\r?\n', { trimempty = true }))
  vim.bo[buf].modifiable = false
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.startswith(vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window)), 'eval-ls://') then
      vim.api.nvim_win_set_buf(window, buf)
      return
    end
  end
  vim.api.nvim_open_win(buf, false, { split = 'right', win = 0 })
end

return M
