--- The options in `vim.g.eval_ls`.
local M = {}

---@class eval_ls.Options
---@field codelens boolean show code lenses and keep them up to date
---@field inlay_hints boolean show inlay hints
---@field completion boolean|'auto' let `<C-x><C-o>` insert whole completions; 'auto' also completes while typing
---@field signs boolean|table<string, string> show verdicts in the sign column; a table sets the signs
---@field quickfix boolean|'open' fill the quickfix list after a run; 'open' also opens it
---@field keymaps boolean map `grx` and `gra` in suites if Neovim does not
---@field progress boolean show the progress of runs
---@field treesitter boolean start tree-sitter if the parser and queries of JSON are installed
---@field restart boolean restart the server after a crash
---@field lsp table overrides of lsp/eval_ls.lua, for Neovim 0.10 only

---@type eval_ls.Options
M.defaults = {
  codelens = true,
  inlay_hints = true,
  completion = true,
  signs = true,
  quickfix = true,
  keymaps = true,
  progress = true,
  treesitter = true,
  restart = true,
  lsp = {},
}

--- Allowed values other than `true` and `false`.
M.others = { completion = { 'auto' }, quickfix = { 'open' } }

--- The current options. They are read on each call, so they may be set after the plugin is loaded.
---@return eval_ls.Options
function M.get()
  local given = type(vim.g.eval_ls) == 'table' and vim.g.eval_ls or {}
  return vim.tbl_extend('force', M.defaults, given)
end

--- The mistakes in `vim.g.eval_ls`, for `:checkhealth`.
---@return string[]
function M.problems()
  local given = vim.g.eval_ls
  if given ~= nil and type(given) ~= 'table' then
    return { '`vim.g.eval_ls` is a ' .. type(given) .. '; it must be a table' }
  end
  local problems = {}
  for name, value in vim.spairs(given or {}) do
    local default = M.defaults[name]
    if default == nil then
      problems[#problems + 1] = ('`vim.g.eval_ls.%s` does not exist'):format(name)
    elseif type(value) ~= type(default) and not vim.list_contains(M.others[name] or {}, value) then
      if not (name == 'signs' and type(value) == 'table') then
        problems[#problems + 1] = ('`vim.g.eval_ls.%s` is a %s; it must be a %s'):format(
          name,
          type(value),
          type(default)
        )
      end
    end
  end
  return problems
end

return M
