--- Which files are eval suites. The server answers this. Only in folders without an eval-ls.toml, where the defaults
--- apply, this module answers itself if the path is enough, so that no server starts for other JSON files.
local M = {}

--- The eval-ls.toml that applies to `path`, a file or a folder: the nearest one above it.
---@param path string
---@return string?
function M.config_of(path)
  return vim.fs.find('eval-ls.toml', { path = path, upward = true, type = 'file' })[1]
end

--- Whether the server is for this buffer: a suite, an eval-ls.toml but no other TOML file, or what may be a log.
---@param buf integer
function M.is_served(buf)
  return vim.bo[buf].filetype == 'json.evals' or M.is_configuration(buf) or M.may_be_log(buf)
end

--- The largest log whose text goes to the server, in bytes: Neovim waits until it is sent.
local LARGEST_LOG = 16 * 1024 * 1024

--- Whether the buffer may be a log of conversations, which can be imported.
---@param buf integer
function M.may_be_log(buf)
  return vim.bo[buf].filetype == 'jsonl'
    and vim.api.nvim_buf_get_offset(buf, vim.api.nvim_buf_line_count(buf)) <= LARGEST_LOG
end

---@param buf integer
function M.is_configuration(buf)
  local name = vim.fs.basename(vim.api.nvim_buf_get_name(buf))
  return vim.bo[buf].filetype == 'toml' and name == 'eval-ls.toml'
end

--- Whether the file at `path`, which is absolute, is a suite. Waits for the server if an eval-ls.toml applies, or the content
--- of the file decides.
---@param path string
---@return boolean
function M.is_suite(path)
  if path == '' or path:match('^%a[%w+.-]+://') or not path:match('%.json$') then
    -- `[files]` may select files with other names, but they are not JSON for Neovim.
    return false
  end
  path = vim.fs.normalize(path)
  local may_be, root = M.by_default(path)
  local config = M.config_of(path)
  if not config and not may_be then
    return false
  end
  local answer = M.ask(path, config and vim.fs.dirname(config) or root)
  if answer then
    return answer.isSuite
  end
  if may_be then
    vim.schedule(function()
      require('eval-ls.client').check_program(true)
    end)
  end
  return may_be and path:match('%.evals%.json$') ~= nil
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
---@param root string? nil for a file on its own
---@return eval_ls.IsSuiteResult? answer nil if there is no server
function M.ask(path, root)
  local server = require('eval-ls.client')
  local client = server.for_root(root)
  if not client then
    return nil
  end
  if root then
    report_change(client, vim.fs.joinpath(root, 'eval-ls.toml'))
  end
  return server.request_sync(client, 'eval-ls/isSuite', { uri = vim.uri_from_fname(path) })
end

local DEFAULT = require('eval-ls.patterns')

--- What the defaults say about a file. Works in every callback.
---@param path string
---@return boolean may_be whether the content of the file decides; otherwise it is not a suite
---@return string? root the folder of the eval-ls.toml or the repository
function M.by_default(path)
  local above = vim.fs.find({ 'eval-ls.toml', '.git' }, { path = path, upward = true })[1]
  local root = above and vim.fs.dirname(above)
  local base = root or vim.fs.dirname(path)
  local relative = M.below(base, path)
  if M.matches(DEFAULT.exclude, relative) then
    return false, root
  end
  -- The name of a folder `evals` counts even if it is the folder that is opened.
  for _, name in ipairs({ relative, vim.fs.basename(base) .. '/' .. relative }) do
    if M.matches(DEFAULT.include, name) then
      return true, root
    end
  end
  return false, root
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
