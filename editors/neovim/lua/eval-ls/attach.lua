--- Sets up a buffer when the server attaches.
local M = {}

local group = vim.api.nvim_create_augroup('eval-ls.buffers', {})

---@param client vim.lsp.Client
---@param buf integer
function M.attach(client, buf)
  local options = require('eval-ls.options').get()
  vim.api.nvim_clear_autocmds({ group = group, buffer = buf })
  require('eval-ls.restart').remember(client, buf)
  if require('eval-ls.suites').may_be_log(buf) then
    return
  end
  if options.completion and client.server_capabilities.completionProvider and vim.lsp.completion then
    -- Without this, Neovim inserts only the word of a completion, not its snippet and other edits.
    vim.lsp.completion.enable(true, client.id, buf, { autotrigger = options.completion == 'auto' })
  end
  if require('eval-ls.suites').is_configuration(buf) then
    return
  end
  if options.codelens and client.server_capabilities.codeLensProvider then
    M.show_lenses(buf)
  end
  if options.inlay_hints and client.server_capabilities.inlayHintProvider then
    vim.lsp.inlay_hint.enable(true, { bufnr = buf })
  end
  if options.keymaps then
    M.map(buf)
  end
  require('eval-ls.verdicts').refresh(client, buf)
end

--- Attaches the running server to a transcript, so that its lines show the checks that depend on them.
---@param buf integer
function M.attach_transcript(buf)
  local client = require('eval-ls.client').of(buf)
  if client and require('eval-ls.options').get().inlay_hints then
    vim.lsp.buf_attach_client(buf, client.id)
  end
end

---@param buf integer
function M.detach(buf)
  vim.api.nvim_clear_autocmds({ group = group, buffer = buf })
  require('eval-ls.verdicts').forget(buf)
end

--- Neovim 0.12 keeps lenses up to date. Older versions request them whenever the text may have changed, and when the server
--- reports changed verdicts.
---@param buf integer
function M.show_lenses(buf)
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = buf })
    return
  end
  vim.lsp.codelens.refresh({ bufnr = buf })
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    group = group,
    buffer = buf,
    desc = 'Keep lenses up to date',
    callback = function()
      vim.lsp.codelens.refresh({ bufnr = buf })
    end,
  })
end

--- Neovim maps `grx` from 0.12 on, and `gra` from 0.11 on.
---@param buf integer
function M.map(buf)
  local function map(lhs, rhs, desc)
    if vim.fn.maparg(lhs, 'n') == '' then
      vim.keymap.set('n', lhs, rhs, { buffer = buf, desc = desc })
    end
  end
  map('grx', function()
    vim.lsp.codelens.run()
  end, 'Run the lens of this line')
  map('gra', function()
    vim.lsp.buf.code_action()
  end, 'Choose a code action')
end

return M
