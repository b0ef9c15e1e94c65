--- Prevents old inlay hints after the server has requested a refresh.
---
--- Neovim records for each line the version of the text whose hints it shows. It clears this record when it sends the request,
--- not when the response arrives. If the screen is drawn in between, Neovim records the old hints for the same version and
--- never shows the new ones. (Verdicts change without an edit, so this happens after every run.)
local M = {}

---@type table<integer, boolean> clients whose next responses must be shown
local waiting = {}

--- For `workspace/inlayHint/refresh`.
function M.on_refresh(err, result, ctx)
  if vim.fn.has('nvim-0.11') == 0 then
    -- Neovim 0.10 clears its record only if hints are disabled.
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

--- Whether a response to another request for hints is still to come. A request from before the refresh may be answered first,
--- with old hints.
---@param client_id integer
---@return boolean
local function is_pending(client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  return vim.iter(vim.tbl_values(client and client.requests or {})):any(function(request)
    return request.type == 'pending' and request.method == 'textDocument/inlayHint'
  end)
end

--- For answers to `textDocument/inlayHint`.
function M.on_hints(err, result, ctx)
  vim.lsp.handlers['textDocument/inlayHint'](err, result, ctx)
  if waiting[ctx.client_id] and not is_pending(ctx.client_id) then
    waiting[ctx.client_id] = nil
    -- Clears the record now that the response is here. Neovim sends one more request, without effect.
    vim.lsp.handlers['workspace/inlayHint/refresh'](nil, nil, { client_id = ctx.client_id })
  end
end

return M
