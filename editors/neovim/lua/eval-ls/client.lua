--- The running server, in the words of each Neovim version.
local M = {}

local is_modern = vim.fn.has('nvim-0.11') == 1

--- The server of a buffer; where the buffer has none, any that runs.
---@param buf? integer the current buffer where left out
---@return vim.lsp.Client?
function M.of(buf)
  buf = (buf == nil or buf == 0) and vim.api.nvim_get_current_buf() or buf
  return vim.lsp.get_clients({ name = 'eval_ls', bufnr = buf })[1] or vim.lsp.get_clients({ name = 'eval_ls' })[1]
end

--- A value of the protocol with `nil` where it has `null`: some Neovims give `vim.NIL` for it, some do not.
---@generic T
---@param value T
---@return T?
function M.plain(value)
  if value == vim.NIL then
    return nil
  end
  if type(value) == 'table' then
    for key, field in pairs(value) do
      value[key] = M.plain(field)
    end
  end
  return value
end

--- Asks the server. An error is shown, unless `on_error` takes it.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param on_result? fun(result: any)
---@param on_error? fun(err: lsp.ResponseError)
function M.request(client, method, params, on_result, on_error)
  local function handler(err, result)
    if err then
      (on_error or M.show_error)(err)
    elseif on_result then
      on_result(M.plain(result))
    end
  end
  if is_modern then
    client:request(method, params, handler)
  else
    client.request(method, params, handler)
  end
end

--- Asks the server and waits for the answer, which is `nil` where it takes longer than half a second.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@return any
function M.request_sync(client, method, params)
  local buf = vim.api.nvim_get_current_buf()
  local answer
  if is_modern then
    answer = client:request_sync(method, params, 500, buf)
  else
    answer = client.request_sync(method, params, 500, buf)
  end
  return answer and M.plain(answer.result)
end

--- Has the server carry out a command.
---@param client vim.lsp.Client
---@param command string
---@param argument table
---@param on_result? fun(result: any)
function M.execute(client, command, argument, on_result)
  local arguments = { vim.empty_dict() }
  if next(argument) then
    arguments = { argument }
  end
  M.request(client, 'workspace/executeCommand', { command = command, arguments = arguments }, on_result)
end

--- Says that something did not work.
---@param message string
---@param level? integer
function M.notify(message, level)
  vim.notify('eval-ls: ' .. message, level or vim.log.levels.WARN)
end

---@param err lsp.ResponseError
function M.show_error(err)
  M.notify(err.message, vim.log.levels.ERROR)
end

--- The settings that servers are started with.
---@return vim.lsp.Config
function M.config()
  if vim.lsp.config then
    return vim.lsp.config.eval_ls
  end
  local file = vim.api.nvim_get_runtime_file('lsp/eval_ls.lua', false)[1]
  -- Neovim 0.10 takes capabilities for all that there are; later ones add its own.
  local base = { name = 'eval_ls', capabilities = vim.lsp.protocol.make_client_capabilities() }
  return vim.tbl_deep_extend('force', base, dofile(file), require('eval-ls.options').get().lsp)
end

--- The program that is the server, which is the runner, too.
---@return string
function M.program()
  local cmd = M.config().cmd
  return type(cmd) == 'table' and cmd[1] or 'eval-ls'
end

--- Starts the server for a buffer, or gives the buffer to the one that runs already.
---@param buf integer
---@return integer? client_id
function M.start(buf)
  local config = vim.deepcopy(M.config())
  config.root_dir = vim.fs.root(buf, config.root_markers[1]) or vim.fs.root(buf, config.root_markers)
  return vim.lsp.start(config, { bufnr = buf })
end

return M
