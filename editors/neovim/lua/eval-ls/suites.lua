--- Which files are eval suites. The server decides the same way; this is here because Neovim must know a buffer's
--- filetype before it starts a server. Nothing here calls Vimscript functions, so it can be used in any callback.
local M = {}

local CONFIG = 'eval-ls.toml'

---@class eval_ls.Files
---@field include string[]
---@field exclude string[]
local DEFAULT = require('eval-ls.patterns')

--- Whether the file at `path`, which is absolute, is a suite: whether `[files]` of the nearest eval-ls.toml takes it.
---@param path string
---@return boolean
function M.is_suite(path)
  if path == '' or path:match('^%a[%w+.-]+://') or not path:match('%.json$') then
    -- `[files]` may take files of other names, but nobody calls them anything else.
    return false
  end
  path = vim.fs.normalize(path)
  local config = M.config_of(path)
  local files = config and M.files(config) or DEFAULT
  local above = config or vim.fs.find('.git', { path = path, upward = true })[1]
  local root = vim.fs.dirname(above or path)
  local relative = M.below(root, path)
  if M.matches(files.exclude, relative) then
    return false
  end
  -- Without an eval-ls.toml, the name of a folder `evals` counts even if it is the folder that is opened.
  local named = config == nil and vim.fs.basename(root) .. '/' .. relative or relative
  return M.matches(files.include, relative) or M.matches(files.include, named)
end

--- The path of a file from a folder above it.
---@param folder string
---@param path string
---@return string
function M.below(folder, path)
  local prefix = folder:sub(-1) == '/' and folder or folder .. '/'
  return vim.startswith(path, prefix) and path:sub(#prefix + 1) or path
end

--- The eval-ls.toml that applies to `path`, a file or a folder: the nearest one above it.
---@param path string
---@return string?
function M.config_of(path)
  return vim.fs.find(CONFIG, { path = path, upward = true, type = 'file' })[1]
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

---@type table<string, { stamp: string, files: eval_ls.Files }>
local known = {}

--- Returns the `[files]` of an eval-ls.toml, and reads the file again if it has changed. The defaults apply if there is no
--- `[files]`, or if this module cannot parse it.
---@param config string
---@return eval_ls.Files
function M.files(config)
  local stat = vim.uv.fs_stat(config)
  local stamp = stat and ('%d.%d.%d'):format(stat.mtime.sec, stat.mtime.nsec, stat.size) or ''
  if not known[config] or known[config].stamp ~= stamp then
    local file = io.open(config, 'r')
    local text = file and file:read('*a') or ''
    if file then
      file:close()
    end
    known[config] = { stamp = stamp, files = vim.tbl_extend('force', DEFAULT, M.parse(text)) }
  end
  return known[config].files
end

--- `include` and `exclude` of the table `[files]` in a TOML text, as far as they are lists of strings.
---@param text string
---@return { include?: string[], exclude?: string[] }
function M.parse(text)
  local found, in_files, at = {}, false, 1
  text = text:gsub('\r\n', '\n')
  while at <= #text do
    local line = text:match('^[^\n]*', at)
    local header = line:match('^%s*%[+%s*(.-)%s*%]')
    local key, value = line:match('^%s*([%w._"\'-]+)%s*=%s*()')
    if header then
      in_files = header:gsub('["\']', '') == 'files'
    elseif key then
      local name = key:gsub('["\']', '')
      name = in_files and name or name:match('^files%.(.+)')
      if name == 'include' or name == 'exclude' then
        local list, after = M.strings(text, at + value - 1)
        if list then
          found[name] = list
          at = after
          line = text:match('^[^\n]*', at)
        end
      end
    end
    at = at + #line + 1
  end
  return found
end

--- The list of strings that begins at `at`, and the place behind it.
---@param text string
---@param at integer
---@return string[]?, integer?
function M.strings(text, at)
  local l = vim.lpeg
  local space = (l.S(' \t\n') + l.P('#') * (1 - l.P('\n')) ^ 0) ^ 0
  local escapes = { b = '\b', t = '\t', n = '\n', f = '\f', r = '\r', ['"'] = '"', ['\\'] = '\\' }
  local escaped = l.P('\\') * l.C(l.S('btnfr"\\')) / escapes
  local basic = l.P('"') * l.Cs((escaped + (1 - l.S('"\\\n'))) ^ 0) * '"'
  local literal = l.P("'") * l.C((1 - l.S("'\n")) ^ 0) * "'"
  local item = (basic + literal) * space
  local list = l.P('[') * space * l.Ct((item * (l.P(',') * space * item) ^ 0 * (l.P(',') * space) ^ -1) ^ -1) * ']'
  return (list * l.Cp()):match(text, at)
end

return M
