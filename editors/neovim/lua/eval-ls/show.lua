--- Shows transcripts and pages beside the suite, in one window that is reused.
local M = {}

--- Shows the transcript of a case.
---@param case string
---@param text string
function M.transcript(case, text)
  local name = 'eval-ls://transcript/' .. vim.uri_encode(case)
  local buf = vim.fn.bufnr('^' .. vim.fn.escape(name, '?*[{\\,') .. '$')
  if buf < 0 then
    buf = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buf, name)
    vim.bo[buf].filetype = 'json'
  end
  -- A session may have restored the buffer.
  vim.bo[buf].buftype = 'nofile'
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(text, '\r?\n', { trimempty = true }))
  vim.bo[buf].modifiable = false
  require('eval-ls.attach').attach_transcript(buf)
  M.open(buf)
end

--- Handles `window/showDocument`, for lenses and commands of the server. A page opens beside the suite and the cursor does
--- not move. A document with a place in it opens as usual, because somebody writes there next.
function M.on_show_document(err, params, ctx)
  local path = params and vim.uri_to_fname(params.uri) or ''
  if err or params.external or params.selection or not vim.uv.fs_stat(path) then
    return vim.lsp.handlers['window/showDocument'](err, params, ctx)
  end
  local buf = vim.fn.bufadd(path)
  -- Autocommands must not prevent the page.
  pcall(vim.fn.bufload, buf)
  -- The file of the page may have changed.
  vim.api.nvim_buf_call(buf, function()
    vim.cmd('silent! checktime')
  end)
  if vim.bo[buf].filetype == '' then
    vim.bo[buf].filetype = vim.filetype.match({ buf = buf }) or ''
  end
  M.open(buf)
  return { success = true }
end

---@param buf integer
function M.open(buf)
  -- Not in files that somebody may edit: there, `q` records.
  if vim.bo[buf].buftype == 'nofile' or vim.api.nvim_buf_get_name(buf):match('[/\\\\]eval%-ls[/\\\\]pages[/\\\\]') then
    vim.keymap.set('n', 'q', '<C-W>c', { buffer = buf, desc = 'Close this window' })
  end
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.w[window].eval_ls then
      vim.api.nvim_win_set_buf(window, buf)
      return
    end
  end
  local window = vim.api.nvim_open_win(buf, false, { split = 'right', win = 0 })
  vim.w[window].eval_ls = true
  vim.wo[window].wrap = true
  vim.wo[window].linebreak = true
end

return M
