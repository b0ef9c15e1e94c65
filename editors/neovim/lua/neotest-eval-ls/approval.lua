--- Approval of live targets before neotest runs them. The server asks, as it does for its own runs.
local client = require('eval-ls.client')
local suites = require('eval-ls.suites')
local M = {}

--- The value of a command-line option: `--name value` or `--name=value`.
---@param arguments string[]
---@param name string
---@return string?
local function option(arguments, name)
  local value
  for index, argument in ipairs(arguments) do
    if argument == name then
      value = arguments[index + 1]
    elseif vim.startswith(argument, name .. '=') then
      value = argument:sub(#name + 2)
    end
  end
  return value
end

--- Asks whether the live targets of a run may run, unless that was allowed before. Suites with one configuration have one
--- target, so they are refused together.
---@async
---@param paths string[] of suites
---@param arguments string[] of `eval-ls run`
---@param root? string folder of eval-ls.toml
---@return table<string, string> refused why suites may not run, by path
---@return string[] approved the arguments that bind the run to what was allowed
function M.request(paths, arguments, root)
  local nio = require('nio')
  nio.scheduler()
  local server = client.for_root(root)
  local config = option(arguments, '--config')
  if config and not (config:match('^[/\\]') or config:match('^%a:[/\\]')) then
    config = vim.fs.joinpath(root or vim.uv.cwd(), config)
  end
  local groups, refused, approved, reasons = {}, {}, {}, {}
  for _, path in ipairs(paths) do
    local key = config or suites.config_of(path) or ''
    groups[key] = vim.list_extend(groups[key] or {}, { path })
  end
  for _, group in vim.spairs(groups) do
    local params = {
      uris = vim.tbl_map(vim.uri_from_fname, group),
      target = option(arguments, '--target'),
      config = config and vim.uri_from_fname(config),
    }
    local answer = nio.control.future()
    local function refuse(err)
      answer.set({ refusal = err.message, approved = {} })
    end
    if server then
      client.request(server, 'eval-ls/requestApproval', params, answer.set, refuse)
    else
      refuse({ message = 'the server did not start, so nobody could approve the target; see `:checkhealth eval-ls`' })
    end
    local given = answer.wait()
    for _, hash in ipairs(given.approved) do
      table.insert(approved, '--approved=' .. hash)
    end
    for _, path in ipairs(group) do
      refused[path] = given.refusal
    end
    if given.refusal and not vim.list_contains(reasons, given.refusal) then
      table.insert(reasons, given.refusal)
    end
  end
  if #reasons > 0 then
    client.notify('cases are skipped: ' .. table.concat(reasons, '; '))
  end
  return refused, approved
end

return M
