--- The kept runs: select a run, then what to do with it, then perhaps a case.
local M = {}

local RUN_ACTIONS = { 'Open report', 'Open answer', 'Accept answer' }

---@param prompt string
---@param items table[]
---@param text fun(item: any): string
---@param on_choice fun(item: any)
local function select(prompt, items, text, on_choice)
  vim.ui.select(items, { prompt = prompt, format_item = text }, function(item)
    if item then
      on_choice(item)
    end
  end)
end

--- Selects a case of a run that has an answer.
---@param client vim.lsp.Client
---@param run eval_ls.KeptRun
---@param on_choice fun(argument: table)
local function select_case(client, run, on_choice)
  require('eval-ls.client').request(client, 'eval-ls/runCases', { run = run.uri }, function(answer)
    local cases = {}
    for _, suite in ipairs(answer.suites) do
      for _, case in ipairs(suite.cases) do
        if case.hasAnswer then
          table.insert(cases, { suite = suite, case = case })
        end
      end
    end
    if #cases == 0 then
      return require('eval-ls.client').notify('this run has no answers')
    end
    select('Case', cases, function(item)
      return ('%s %s · %s · %s'):format(item.case.status, item.case.id, item.case.description, item.suite.label)
    end, function(item)
      on_choice({ run = run.uri, uri = item.suite.uri, case = item.case.id })
    end)
  end)
end

---@type table<string, fun(client: vim.lsp.Client, run: eval_ls.KeptRun)>
local actions = {
  ['Open report'] = function(client, run)
    require('eval-ls.client').execute(client, 'eval-ls.openReport', { run = run.uri })
  end,
  ['Open answer'] = function(client, run)
    select_case(client, run, function(argument)
      require('eval-ls.client').execute(client, 'eval-ls.openRunAnswer', argument)
    end)
  end,
  ['Accept answer'] = function(client, run)
    select_case(client, run, function(argument)
      require('eval-ls.client').execute(client, 'eval-ls.acceptRunAnswer', argument, function()
        local text = ('eval-ls: the answer of %s is the transcript now'):format(argument.case)
        vim.api.nvim_echo({ { text } }, false, {})
      end)
    end)
  end,
}

--- Selects a run and an action.
---@param client vim.lsp.Client
function M.choose(client)
  require('eval-ls.client').request(client, 'eval-ls/runs', vim.empty_dict(), function(answer)
    if #answer.runs == 0 then
      return require('eval-ls.client').notify('no run is kept yet')
    end
    select('Run', answer.runs, function(run)
      return ('%s %s · %s · %s'):format(run.status or 'not run', run.startedAt, run.target, run.description)
    end, function(run)
      select('Run of ' .. run.startedAt, RUN_ACTIONS, tostring, function(action)
        actions[action](client, run)
      end)
    end)
  end)
end

return M
