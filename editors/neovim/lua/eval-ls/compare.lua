--- Compares the last answer of a case with the answer in a run of its baseline, in a tab page.
local M = {}

--- The lines of a transcript's response.
---@param transcript string
---@return string[]
local function lines_of(transcript)
  local is_json, value = pcall(vim.json.decode, transcript)
  local response = is_json and type(value) == 'table' and value.response
  return vim.split(type(response) == 'string' and response or transcript, '\r?\n')
end

--- Shows lines in the current window, to be compared.
---@param name string
---@param lines string[]
local function show(name, lines)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable = false
  vim.bo[buf].bufhidden = 'wipe'
  vim.api.nvim_win_set_buf(0, buf)
  -- `%` starts an item of the bar.
  vim.wo.winbar = name:gsub('%%', '%%%%'):gsub('%c', ' ')
  vim.wo.wrap = true
  vim.keymap.set('n', 'q', '<Cmd>tabclose<CR>', { buffer = buf, desc = 'Close this comparison' })
  vim.cmd.diffthis()
end

---@param client vim.lsp.Client
---@param uri string
---@param case string
function M.with_baseline(client, uri, case)
  local request = require('eval-ls.client').request
  local params = { uri = uri, case = case }
  request(client, 'eval-ls/baselineAnswer', params, function(before)
    request(client, 'eval-ls/transcript', params, function(now)
      if not now then
        return require('eval-ls.client').notify(('case `%s` has no transcript yet; run it first'):format(case))
      end
      vim.cmd.tabnew()
      vim.bo.bufhidden = 'wipe'
      show(before.description, lines_of(before.text))
      vim.cmd('rightbelow vsplit')
      show(case .. ': last answer', lines_of(now.text))
    end)
  end)
end

return M
