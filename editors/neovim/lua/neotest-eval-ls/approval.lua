--- Approval of live targets before neotest runs them. The server asks, as it does for its own runs.
local client = require('eval-ls.client')
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

--- Asks whether the live targets of a run may run, unless that was allowed before.
---@async
---@param suites string[] paths
---@param arguments string[] of `eval-ls run`
---@param root? string folder of eval-ls.toml
---@return string? refusal why the suites may not run
---@return string[] approved the arguments that bind the run to what was allowed
function M.request(suites, arguments, root)
  local nio = require('nio')
  nio.scheduler()
  local server = client.for_root(root)
  if not server then
    return 'the server did not start, so nobody could approve the target; see `:checkhealth eval-ls`', {}
  end
  local config = option(arguments, '--config')
  if config and not (config:match('^[/\\]') or config:match('^%a:[/\\]')) then
    config = vim.fs.joinpath(root or vim.uv.cwd(), config)
  end
  local params = {
    uris = vim.tbl_map(vim.uri_from_fname, suites),
    target = option(arguments, '--target'),
    config = config and vim.uri_from_fname(config),
  }
  local answer = nio.control.future()
  client.request(server, 'eval-ls/requestApproval', params, function(result)
    answer.set({ approved = result.approved })
  end, function(err)
    answer.set({ refusal = err.message, approved = {} })
  end)
  local given = answer.wait()
  return given.refusal, vim.tbl_map(function(hash)
    return '--approved=' .. hash
  end, given.approved)
end

return M
