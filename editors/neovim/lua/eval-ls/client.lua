--- The running server, through the API of each Neovim version.
local M = {}

local is_modern = vim.fn.has('nvim-0.11') == 1

--- The server of a buffer, or any running server if the buffer has none.
---@param buf? integer default: the current buffer
---@return vim.lsp.Client?
function M.of(buf)
  buf = (buf == nil or buf == 0) and vim.api.nvim_get_current_buf() or buf
  return vim.lsp.get_clients({ name = 'eval_ls', bufnr = buf })[1] or vim.lsp.get_clients({ name = 'eval_ls' })[1]
end

--- The server for a folder, or for files without one; starts it if necessary, and waits at most two seconds for it.
---@param root string?
---@return vim.lsp.Client?
function M.for_root(root)
  local client
  for _, running in ipairs(vim.lsp.get_clients({ name = 'eval_ls' })) do
    if running.config.root_dir == root then
      client = running
    end
  end
  if not client then
    local config = vim.deepcopy(M.config())
    config.root_dir = root
    if type(config.cmd) ~= 'function' and vim.fn.executable(config.cmd[1]) == 0 then
      return nil
    end
    -- No buffer is attached yet: only the answer decides whether one will be.
    local id
    if is_modern then
      id = vim.lsp.start(config, { attach = false })
    else
      id = vim.lsp.start_client(config)
    end
    client = id and vim.lsp.get_client_by_id(id)
  end
  local is_ready = client and vim.wait(2000, function()
    return client.initialized
  end, 5)
  return is_ready and client or nil
end

--- Replaces `null` of the protocol with `nil`: some versions of Neovim return `vim.NIL`.
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

--- Sends a request. Shows an error unless `on_error` handles it.
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

--- Sends a notification.
---@param client vim.lsp.Client
---@param method string
---@param params table
function M.send(client, method, params)
  if is_modern then
    client:notify(method, params)
  else
    client.notify(method, params)
  end
end

--- Sends a request and waits for the response; returns `nil` after two seconds.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@return any
function M.request_sync(client, method, params)
  local buf = vim.api.nvim_get_current_buf()
  local answer
  if is_modern then
    answer = client:request_sync(method, params, 2000, buf)
  else
    answer = client.request_sync(method, params, 2000, buf)
  end
  return answer and M.plain(answer.result)
end

--- Reports a changed file to all servers. Neovim does not watch files on Linux.
---@param path string
function M.file_changed(path)
  local changes = { { uri = vim.uri_from_fname(path), type = vim.lsp.protocol.FileChangeType.Changed } }
  for _, client in ipairs(vim.lsp.get_clients({ name = 'eval_ls' })) do
    if is_modern then
      client:notify('workspace/didChangeWatchedFiles', { changes = changes })
    else
      client.notify('workspace/didChangeWatchedFiles', { changes = changes })
    end
  end
end

local has_reported = false

--- Why the program cannot be started; nil if it can.
---@return string?
function M.missing()
  local program = M.program()
  if type(M.config().cmd) == 'function' or vim.fn.executable(program) == 1 then
    return nil
  end
  local what = vim.fn.filereadable(program) == 1 and '`%s` is not executable' or '`%s` was not found'
  return what:format(program)
end

--- Shows once that the program is missing, or does not answer.
---@param was_asked? boolean whether it was asked and gave no answer
function M.check_program(was_asked)
  local problem = M.missing() or was_asked and ('`%s` did not answer'):format(M.program())
  if problem and not has_reported then
    has_reported = true
    M.notify(problem .. '; see `:checkhealth eval-ls`')
  end
end

--- Runs a command of the server.
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

--- Shows a problem.
---@param message string
---@param level? integer
function M.notify(message, level)
  vim.notify('eval-ls: ' .. message, level or vim.log.levels.WARN)
end

---@param err lsp.ResponseError
function M.show_error(err)
  M.notify(err.message, vim.log.levels.ERROR)
end

--- The configuration of the server.
---@return vim.lsp.Config
function M.config()
  if vim.lsp.config then
    return vim.lsp.config.eval_ls
  end
  local file = vim.api.nvim_get_runtime_file('lsp/eval_ls.lua', false)[1]
  -- Neovim 0.10 uses only these capabilities; later versions add their own.
  local base = { name = 'eval_ls', capabilities = vim.lsp.protocol.make_client_capabilities() }
  return vim.tbl_deep_extend('force', base, dofile(file), require('eval-ls.options').get().lsp)
end

--- The program of the server, which is also the runner.
---@return string
function M.program()
  local cmd = M.config().cmd
  return type(cmd) == 'table' and cmd[1] or 'eval-ls'
end

--- Starts the server for a buffer, or attaches the buffer to the running server.
---@param buf integer
---@return integer? client_id
function M.start(buf)
  local config = vim.deepcopy(M.config())
  config.root_dir = vim.fs.root(buf, config.root_markers[1]) or vim.fs.root(buf, config.root_markers)
  return vim.lsp.start(config, { bufnr = buf })
end

return M
