---@type vim.lsp.Config
return {
  cmd = { 'eval-ls', 'lsp' },
  filetypes = { 'json.evals', 'toml', 'jsonl' },
  root_markers = { 'eval-ls.toml', '.git' },
  root_dir = function(buf, on_dir)
    if require('eval-ls.suites').is_served(buf) then
      on_dir(vim.fs.root(buf, 'eval-ls.toml') or vim.fs.root(buf, '.git'))
    end
  end,
  get_language_id = function()
    return 'json'
  end,
  init_options = { runEvents = true },
  handlers = {
    ['eval-ls/runEvent'] = function(_, event, ctx)
      require('eval-ls.runs').on_event(require('eval-ls.client').plain(event), ctx.client_id)
    end,
    ['eval-ls/verdictsChanged'] = function(_, params, ctx)
      require('eval-ls.verdicts').on_changed(params.uris, ctx.client_id)
    end,
    ['window/showDocument'] = function(...)
      return require('eval-ls.show').on_show_document(...)
    end,
    ['workspace/inlayHint/refresh'] = function(...)
      return require('eval-ls.hints').on_refresh(...)
    end,
    ['textDocument/inlayHint'] = function(...)
      require('eval-ls.hints').on_hints(...)
    end,
    -- Completion of case ids requests the ids each time, so nothing is cached.
    ['eval-ls/testsChanged'] = function() end,
  },
  on_exit = function(code, signal, client_id)
    require('eval-ls.restart').on_exit(code, signal, client_id)
  end,
}
