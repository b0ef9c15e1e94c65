--- What users have switched on and off with `vim.g.eval_ls`.
local M = {}

---@class eval_ls.Options
---@field codelens boolean show code lenses and keep them fresh
---@field inlay_hints boolean show inlay hints
---@field completion boolean|'auto' have `<C-x><C-o>` insert all that a completion says, or complete while typing, too
---@field signs boolean|table<string, string> show verdicts in the sign column, or with which signs
---@field quickfix boolean|'open' put what failed into the quickfix list after a run, or open it, too
---@field keymaps boolean map `grx` and `gra` in suites where Neovim itself does not
---@field progress boolean show how far a run is
---@field treesitter boolean start tree-sitter where JSON's parser and queries are installed
---@field restart boolean start the server again where it ended unexpectedly
---@field lsp table overrides of lsp/eval_ls.lua, for Neovim 0.10 alone: newer ones have `vim.lsp.config()`

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

--- What may stand in the place of `true` and `false`.
M.others = { completion = { 'auto' }, quickfix = { 'open' } }

--- What holds now. It is read anew each time, so that it may be set before or after the plugin was loaded.
---@return eval_ls.Options
function M.get()
  local given = type(vim.g.eval_ls) == 'table' and vim.g.eval_ls or {}
  return vim.tbl_extend('force', M.defaults, given)
end

--- What is wrong in `vim.g.eval_ls`, for `:checkhealth`.
---@return string[]
function M.problems()
  local given = vim.g.eval_ls
  if given ~= nil and type(given) ~= 'table' then
    return { '`vim.g.eval_ls` is a ' .. type(given) .. ', and must be a table' }
  end
  local problems = {}
  for name, value in vim.spairs(given or {}) do
    local default = M.defaults[name]
    if default == nil then
      problems[#problems + 1] = ('`vim.g.eval_ls.%s` does not exist'):format(name)
    elseif type(value) ~= type(default) and not vim.list_contains(M.others[name] or {}, value) then
      if not (name == 'signs' and type(value) == 'table') then
        problems[#problems + 1] = ('`vim.g.eval_ls.%s` is a %s, and must be a %s'):format(
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
