--- The runs of the server, whether a lens, a command or a code action started them.
local M = {}

---@class eval_ls.Run
---@field uris string[] of its suites
---@field counts table<string, integer> number of cases by status

---@type table<integer, eval_ls.Run> by the server's number
local running = {}

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
  -- The end of the progress has the outcome and the reason, and arrives before or after this.
  if event.reason and not event.cancelled and not require('eval-ls.options').get().progress then
    require('eval-ls.client').notify(event.reason, vim.log.levels.ERROR)
  end
  require('eval-ls.quickfix').fill(run.uris, client_id)
  vim.api.nvim_exec_autocmds('User', { pattern = 'EvalRunFinished', data = { run = event.run, counts = run.counts } })
end

return M
