--- The last verdicts on the open suites, shown in the sign column.
local M = {}

local namespace = vim.api.nvim_create_namespace('eval-ls.verdicts')

---@type table<integer, eval_ls.VerdictsResult>
local known = {}

---@type table<string, { sign: string, highlight: string, link: string }>
local looks = {
  PASS = { sign = '✓', highlight = 'EvalPass', link = 'DiagnosticOk' },
  PARTIAL = { sign = '◐', highlight = 'EvalPartial', link = 'DiagnosticWarn' },
  FAIL = { sign = '✗', highlight = 'EvalFail', link = 'DiagnosticError' },
  ERROR = { sign = '!', highlight = 'EvalError', link = 'DiagnosticError' },
  running = { sign = '●', highlight = 'EvalRunning', link = 'DiagnosticInfo' },
  stale = { sign = '?', highlight = 'EvalStale', link = 'DiagnosticHint' },
}

--- The last verdicts on a buffer's suite, or `nil`.
---@param buf? integer default: the current buffer
---@return eval_ls.VerdictsResult?
function M.of(buf)
  return known[(buf == nil or buf == 0) and vim.api.nvim_get_current_buf() or buf]
end

--- Requests the verdicts of a suite and shows them.
---@param client vim.lsp.Client
---@param buf integer
function M.refresh(client, buf)
  local uri = vim.uri_from_bufnr(buf)
  require('eval-ls.client').request(client, 'eval-ls/verdicts', { uri = uri }, function(verdicts)
    if verdicts and vim.api.nvim_buf_is_loaded(buf) and vim.lsp.buf_is_attached(buf, client.id) then
      known[buf] = verdicts
      M.show(client, buf)
      vim.api.nvim_exec_autocmds('User', { pattern = 'EvalVerdicts', data = { buf = buf } })
      vim.cmd.redrawstatus({ bang = true })
    end
  end, function() end)
end

--- Updates suites whose verdicts have changed.
---@param uris string[]
---@param client_id integer
function M.on_changed(uris, client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  for _, uri in ipairs(client and uris or {}) do
    local buf = vim.uri_to_bufnr(uri)
    if client and vim.lsp.buf_is_attached(buf, client_id) then
      M.refresh(client, buf)
      if not vim.lsp.codelens.enable and require('eval-ls.options').get().codelens then
        vim.lsp.codelens.refresh({ bufnr = buf })
      end
    end
  end
  require('eval-ls.quickfix').refresh(uris, client_id)
end

---@param buf integer
function M.forget(buf)
  known[buf] = nil
  if vim.api.nvim_buf_is_valid(buf) then
    vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  end
end

--- Shows a sign for each case that has a verdict or is running.
---@param client vim.lsp.Client
---@param buf integer
function M.show(client, buf)
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  local signs = require('eval-ls.options').get().signs
  local verdicts = known[buf]
  if not signs or not verdicts then
    return
  end
  -- After an edit, the response may name lines that no longer exist; the next response follows.
  local last = vim.api.nvim_buf_line_count(buf) - 1
  for _, case in ipairs(verdicts.cases) do
    local name = case.running and 'running' or case.stale and case.status and 'stale' or case.status
    local look = looks[name]
    if look and case.range.start.line <= last then
      vim.api.nvim_set_hl(0, look.highlight, { default = true, link = look.link })
      vim.api.nvim_buf_set_extmark(buf, namespace, case.range.start.line, 0, {
        sign_text = type(signs) == 'table' and signs[name] or look.sign,
        sign_hl_group = look.highlight,
        -- Lower than diagnostics, which have 10.
        priority = 9,
      })
    end
  end
end

--- The counts of verdicts and running cases, for a statusline.
---@param buf? integer default: the current buffer
---@return string empty if the buffer is not a suite or has no verdicts
function M.statusline(buf)
  local verdicts = M.of(buf)
  if not verdicts then
    return ''
  end
  local summary = verdicts.summary
  local parts = {}
  local function add(count, sign)
    if count > 0 then
      parts[#parts + 1] = sign .. count
    end
  end
  add(summary.running, looks.running.sign)
  add(summary.pass, looks.PASS.sign)
  add(summary.partial, looks.PARTIAL.sign)
  add(summary.fail, looks.FAIL.sign)
  add(summary.error, looks.ERROR.sign)
  add(summary.notRun, '○')
  if (summary.stale or 0) > 0 then
    parts[#parts + 1] = ('(%d stale)'):format(summary.stale)
  end
  -- A server of an earlier version names only the target.
  local about = (verdicts.about or verdicts.target):gsub('^· ', '')
  if summary.reason ~= nil and summary.reason ~= vim.NIL then
    about = about .. ' · ' .. summary.reason
  end
  parts[#parts + 1] = about
  -- A `%` in a target's name would start an item of the statusline.
  return (table.concat(parts, ' '):gsub('%%', '%%%%'))
end

return M
