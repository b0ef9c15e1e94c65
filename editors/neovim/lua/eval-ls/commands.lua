--- The commands `:Eval…`.
local M = {}

local client_of = function()
  local client = require('eval-ls.client').of()
  if not client then
    local start = vim.bo.filetype == 'json.evals' and '`:edit` starts it' or 'open an eval suite'
    require('eval-ls.client').notify(('the server is not running; %s, or see `:checkhealth eval-ls`'):format(start))
  end
  return client
end

---@return string
local function uri()
  return vim.uri_from_bufnr(0)
end

--- The cases of the current buffer's suite.
---@param client vim.lsp.Client
---@return eval_ls.TestCase[]
local function cases(client)
  local answer = require('eval-ls.client').request_sync(client, 'eval-ls/tests', { uri = uri() })
  local suite = type(answer) == 'table' and answer.suites[1]
  return suite and suite.cases or {}
end

--- The id of the case at the cursor.
---@param client vim.lsp.Client
---@return string?
local function case_at_cursor(client)
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  for _, case in ipairs(cases(client)) do
    if case.caseRange.start.line <= line and line <= case.caseRange['end'].line then
      return case.id
    end
  end
end

--- The given ids, else the id of the case at the cursor. Shows a message and returns nil if there is none.
---@param client vim.lsp.Client
---@param given string[]
---@return string[]?
local function chosen(client, given)
  if #given > 0 then
    return given
  end
  local id = case_at_cursor(client)
  if not id then
    require('eval-ls.client').notify('the cursor is not in a case')
  end
  return id and { id }
end

---@param client vim.lsp.Client
---@param params eval_ls.RunParams
local function run(client, params)
  require('eval-ls.client').request(client, 'eval-ls/run', params)
end

---@type table<string, fun(client: vim.lsp.Client, given: string[])>
local runners = {
  case = function(client, given)
    local ids = chosen(client, given)
    if ids then
      run(client, { suites = { { uri = uri(), cases = ids } } })
    end
  end,
  suite = function(client)
    run(client, { suites = { { uri = uri() } } })
  end,
  failed = function(client)
    require('eval-ls.client').execute(client, 'eval-ls.runFailed', { uri = uri() })
  end,
  last = function(client)
    local last = require('eval-ls.runs').last
    if last then
      run(client, last)
    else
      require('eval-ls.client').notify('there is no run to repeat')
    end
  end,
}

--- Calls `action` with the case that the arguments name, else with the case at the cursor.
---@param action fun(client: vim.lsp.Client, case: string, bang: boolean)
local function on_case(action)
  return function(command)
    local client = client_of()
    local ids = client and chosen(client, command.fargs)
    if client and ids then
      action(client, ids[1], command.bang)
    end
  end
end

--- The candidates that continue what is typed, as arguments of a command that takes several.
---@param candidates string[]
---@param lead string
local function starting_with(candidates, lead)
  local arguments = vim.tbl_map(function(candidate)
    return (candidate:gsub('[ \t\\]', '\\%0'))
  end, candidates)
  return vim.tbl_filter(function(argument)
    return vim.startswith(argument, lead)
  end, arguments)
end

local function complete_case(lead)
  local client = require('eval-ls.client').of()
  local ids = vim.tbl_map(function(case)
    return case.id
  end, client and cases(client) or {})
  return starting_with(ids, lead)
end

local function complete_run(lead, line)
  local words = vim.split(line, '%s+')
  if #words <= 2 then
    return starting_with({ 'case', 'failed', 'last', 'suite' }, lead)
  end
  return words[2] == 'case' and complete_case(lead) or {}
end

local function complete_target(lead)
  local verdicts = require('eval-ls.verdicts').of()
  return starting_with(verdicts and verdicts.targets or {}, lead)
end

---@type table<string, { run: fun(command: table), opts: table }>
local commands = {
  EvalRun = {
    run = function(command)
      local what = command.fargs[1] or 'case'
      local runner, client = runners[what], client_of()
      if not runner then
        require('eval-ls.client').notify(('`:EvalRun %s` does not exist; use case, suite, failed or last'):format(what))
      elseif client then
        runner(client, vim.list_slice(command.fargs, 2))
      end
    end,
    opts = {
      nargs = '*',
      complete = complete_run,
      desc = 'Run cases',
    },
  },
  EvalStop = {
    run = function(command)
      local client = client_of()
      if client then
        local params = #command.fargs > 0 and { uri = uri(), case = command.fargs[1] } or vim.empty_dict()
        require('eval-ls.client').request(client, 'eval-ls/stop', params, function(answer)
          vim.api.nvim_echo({ { ('eval-ls: stopped %d case(s)'):format(answer and answer.stopped or 0) } }, false, {})
        end)
      end
    end,
    opts = { nargs = '*', complete = complete_case, desc = 'Stop running cases, or one case' },
  },
  EvalTarget = {
    run = function(command)
      local client = client_of()
      if client then
        local argument = { uri = uri(), target = command.fargs[1] }
        require('eval-ls.client').execute(client, 'eval-ls.chooseTarget', argument)
      end
    end,
    opts = { nargs = '*', complete = complete_target, desc = 'Select the target for runs' },
  },
  EvalResult = {
    run = on_case(function(client, case)
      require('eval-ls.client').execute(client, 'eval-ls.openResult', { uri = uri(), case = case })
    end),
    opts = { nargs = '*', complete = complete_case, desc = 'Show the last result of a case' },
  },
  EvalTranscript = {
    run = on_case(function(client, case, bang)
      local params = { uri = uri(), case = case, kept = bang or nil }
      require('eval-ls.client').request(client, 'eval-ls/transcript', params, function(answer)
        if answer then
          require('eval-ls.show').transcript(case, answer.text)
        else
          require('eval-ls.client').notify(('case `%s` has no transcript yet; run it first'):format(case))
        end
      end)
    end),
    opts = { nargs = '*', bang = true, complete = complete_case, desc = 'Show the last answer of a case' },
  },
  EvalChallenge = {
    run = function()
      local client = client_of()
      if client then
        require('eval-ls.client').execute(client, 'eval-ls.challengeSuite', { uri = uri() })
      end
    end,
    opts = { desc = 'Challenge this suite with answers that ought to fail' },
  },
  EvalImport = {
    run = function()
      local client = require('eval-ls.client').of()
        or require('eval-ls.client').for_root(vim.fs.root(0, 'eval-ls.toml') or vim.fs.root(0, '.git'))
      if client then
        vim.cmd.update()
        require('eval-ls.client').execute(client, 'eval-ls.import', { uri = uri() })
      else
        client_of()
      end
    end,
    opts = { desc = 'Make a suite of this log of conversations' },
  },
  EvalNext = {
    run = function(command)
      require('eval-ls.failures').go(command.bang and -1 or 1)
    end,
    opts = { bang = true, desc = 'Go to the next failing case; with !, to the previous one' },
  },
  EvalReport = {
    run = function()
      local client = client_of()
      if client then
        local is_suite = vim.bo.filetype == 'json.evals'
        require('eval-ls.client').execute(
          client,
          'eval-ls.openReport',
          is_suite and { uri = uri() } or vim.empty_dict()
        )
      end
    end,
    opts = { desc = 'Open the report of the last run in the browser' },
  },
  EvalStatus = {
    run = function()
      local client = client_of()
      if client then
        require('eval-ls.client').execute(client, 'eval-ls.showStatus', {})
      end
    end,
    opts = { desc = 'Show the status of eval-ls' },
  },
}

--- Defines the commands.
function M.create()
  for name, command in pairs(commands) do
    vim.api.nvim_create_user_command(name, command.run, command.opts)
  end
end

return M
