--- The runs of the server, whether a lens, a command or a code action started them.
local M = {}

---@class eval_ls.Run
---@field uris string[] of its suites
---@field counts table<string, integer> number of cases by status

---@type table<integer, eval_ls.Run> by the server's number
local running = {}

---@type table<integer, string> summary of the run by status
local summaries = {}

---@type eval_ls.RunParams? parameters for `:EvalRun last`
M.last = nil

--- Handles an event of a run.
---@param event eval_ls.RunEvent
---@param client_id integer
function M.on_event(event, client_id)
  if event.kind == 'started' then
    M.begin(event)
  elseif event.kind == 'caseFinished' and running[event.run] then
    local counts = running[event.run].counts
    counts[event.status] = (counts[event.status] or 0) + 1
  elseif event.kind == 'finished' then
    M.finish(event, client_id)
  end
end

---@param event eval_ls.RunEvent
function M.begin(event)
  local suites, uris = {}, {}
  for _, item in ipairs(event.items or {}) do
    if not suites[item.uri] then
      suites[item.uri] = { uri = item.uri, cases = {} }
      uris[#uris + 1] = item.uri
    end
    table.insert(suites[item.uri].cases, item.case)
  end
  running[event.run] = { uris = uris, counts = {} }
  M.last = {
    target = event.target,
    suites = vim.tbl_map(function(uri)
      return suites[uri]
    end, uris),
  }
end

---@param event eval_ls.RunEvent
---@param client_id integer
function M.finish(event, client_id)
  local run = running[event.run]
  running[event.run] = nil
  if not run then
    return
  end
  local parts = {}
  for _, status in ipairs({ 'PASS', 'PARTIAL', 'FAIL', 'ERROR', 'CANCELLED' }) do
    if run.counts[status] then
      parts[#parts + 1] = ('%d %s'):format(run.counts[status], status)
    end
  end
  local text = table.concat(parts, ', ')
  summaries[event.run] = text
  if event.reason and not event.cancelled then
    require('eval-ls.client').notify(event.reason, vim.log.levels.ERROR)
  elseif text ~= '' then
    vim.api.nvim_echo({ { 'eval-ls: ' .. text } }, false, {})
  end
  require('eval-ls.quickfix').fill(run.uris, client_id)
  vim.api.nvim_exec_autocmds('User', { pattern = 'EvalRunFinished', data = { run = event.run, counts = run.counts } })
end

--- The summary of a finished run: `1 PASS, 1 FAIL`.
---@param run? integer
---@return string?
function M.summary(run)
  local text = run and summaries[run]
  return text ~= '' and text or nil
end

return M
