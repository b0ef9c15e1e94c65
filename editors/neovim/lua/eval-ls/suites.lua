--- Which files are eval suites. The server answers this. Only in folders without an eval-ls.toml, where the defaults
--- apply, this module answers itself, so that no server starts for other JSON files.
local M = {}

--- The eval-ls.toml that applies to `path`, a file or a folder: the nearest one above it.
---@param path string
---@return string?
function M.config_of(path)
  return vim.fs.find('eval-ls.toml', { path = path, upward = true, type = 'file' })[1]
end

--- Whether the file at `path`, which is absolute, is a suite. Waits for the server if an eval-ls.toml applies.
---@param path string
---@return boolean
function M.is_suite(path)
  if path == '' or path:match('^%a[%w+.-]+://') or not path:match('%.json$') then
    -- `[files]` may select files with other names, but they are not JSON for Neovim.
    return false
  end
  path = vim.fs.normalize(path)
  local config = M.config_of(path)
  if not config then
    return M.is_default(path)
  end
  local answer = M.ask(path, vim.fs.dirname(config))
  if answer then
    return answer.isSuite
  end
  return M.is_default(path)
end

---@type table<integer, table<string, string>> for each server, the state of each eval-ls.toml that it has read
local known = {}

--- Notifies the server that an eval-ls.toml has changed: Neovim does not watch files on every system.
---@param client vim.lsp.Client
---@param config string
local function report_change(client, config)
  local stat = vim.uv.fs_stat(config)
  local state = stat and ('%d.%d.%d'):format(stat.mtime.sec, stat.mtime.nsec, stat.size) or ''
  known[client.id] = known[client.id] or {}
  local last = known[client.id][config]
  known[client.id][config] = state
  if last and last ~= state then
    local changes = { { uri = vim.uri_from_fname(config), type = 2 } }
    require('eval-ls.client').send(client, 'workspace/didChangeWatchedFiles', { changes = changes })
  end
end

--- The answer of the server that serves `root`, with its reason. Starts the server if necessary.
---@param path string
---@param root string
---@return eval_ls.IsSuiteResult? answer nil if there is no server
function M.ask(path, root)
  local server = require('eval-ls.client')
  local client = server.for_root(root)
  if not client then
    return nil
  end
  report_change(client, vim.fs.joinpath(root, 'eval-ls.toml'))
  return server.request_sync(client, 'eval-ls/isSuite', { uri = vim.uri_from_fname(path) })
end

local DEFAULT = require('eval-ls.patterns')

--- Whether the defaults select the file. Works in every callback.
---@param path string
---@return boolean
function M.is_default(path)
  local above = vim.fs.find({ 'eval-ls.toml', '.git' }, { path = path, upward = true })[1]
  local root = vim.fs.dirname(above or path)
  local relative = M.below(root, path)
  if M.matches(DEFAULT.exclude, relative) then
    return false
  end
  -- The name of a folder `evals` counts even if it is the folder that is opened.
  return M.matches(DEFAULT.include, relative) or M.matches(DEFAULT.include, vim.fs.basename(root) .. '/' .. relative)
end

--- The path of a file from a folder above it.
---@param folder string
---@param path string
---@return string
function M.below(folder, path)
  local prefix = folder:sub(-1) == '/' and folder or folder .. '/'
  return vim.startswith(path, prefix) and path:sub(#prefix + 1) or path
end

---@param globs string[]
---@param path string
---@return boolean
function M.matches(globs, path)
  for _, glob in ipairs(globs) do
    local ok, pattern = pcall(vim.glob.to_lpeg, glob)
    if ok and pattern:match(path) then
      return true
    end
  end
  return false
end

return M
