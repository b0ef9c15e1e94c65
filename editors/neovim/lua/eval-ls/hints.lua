--- Keeps Neovim from showing old hints after the server has asked it to ask again.
---
--- Neovim notes of each line for which version of the text it shows hints. It forgets that when it asks again, rather
--- than when the answer is there. If the screen is drawn in between, the old hints count as shown, and the new ones,
--- which are for the same version, never are. (Verdicts change without an edit, so that happens after every run.)
local M = {}

---@type table<integer, boolean> clients whose answer is to be shown in any case
local waiting = {}

--- For `workspace/inlayHint/refresh`.
function M.on_refresh(err, result, ctx)
  if vim.fn.has('nvim-0.11') == 0 then
    -- Neovim 0.10 never forgets what it shows, unless hints are switched off.
    for _, buf in ipairs(vim.lsp.get_buffers_by_client_id(ctx.client_id)) do
      if vim.lsp.inlay_hint.is_enabled({ bufnr = buf }) then
        vim.lsp.inlay_hint.enable(false, { bufnr = buf })
        vim.lsp.inlay_hint.enable(true, { bufnr = buf })
      end
    end
    return vim.NIL
  end
  waiting[ctx.client_id] = true
  return vim.lsp.handlers['workspace/inlayHint/refresh'](err, result, ctx)
end

--- For answers to `textDocument/inlayHint`.
function M.on_hints(err, result, ctx)
  vim.lsp.handlers['textDocument/inlayHint'](err, result, ctx)
  if waiting[ctx.client_id] then
    waiting[ctx.client_id] = nil
    -- Makes Neovim forget what it shows, now that it has the answer. It asks once more, in vain.
    vim.lsp.handlers['workspace/inlayHint/refresh'](nil, nil, { client_id = ctx.client_id })
  end
end

return M
