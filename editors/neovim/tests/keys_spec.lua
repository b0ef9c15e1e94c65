-- Keyboard input.
local t = _G.t

local SUITE = [[
{
  "name": "s", "version": "0.2.0",
  "cases": [
    { "id": "A", "prompt": "Show 🐈 cats.", "ex }
  ]
}]]

t.test('a completion is inserted, and the buffer is checked again', function()
  local folder = t.folder({ ['eval-ls.toml'] = '', ['a.evals.json'] = SUITE })
  local child = t.child()
  child.lua('vim.cmd.edit(...)', folder .. '/a.evals.json')
  local broken = "vim.iter(vim.diagnostic.get(0)):any(function(d) return d.code == 'invalid-json' end)"
  child.wait(broken)
  child.lua([[vim.fn.search('"ex') vim.cmd('normal! 2l')]])
  child.lua("vim.o.completeopt = 'menuone,noinsert'")
  child.input('a<C-x><C-o>')
  child.wait('vim.fn.pumvisible() == 1')
  t.contains(child.lua('return vim.fn.complete_info({ "items" }).items[1].word'), 'expected')
  if vim.fn.has('nvim-0.11') == 0 then
    -- Neovim 0.10 does not insert snippets.
    return child.stop()
  end
  child.input('<C-y>')
  child.wait([[vim.fn.search('"expected": {', 'nw') > 0]])
  child.input('<Esc>')
  child.wait('not ' .. broken)
  child.stop()
end)
