if vim.g.loaded_eval_ls then
  return
end
vim.g.loaded_eval_ls = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.api.nvim_echo({ { 'eval-ls: Neovim 0.10 or newer is needed', 'WarningMsg' } }, true, {})
  return
end

-- A compound filetype, because both of its parts' plugins and syntax files are loaded: a suite keeps JSON's highlighting,
-- indentation and (absent) comments, while servers and autocommands for plain JSON stay away from it.
vim.filetype.add({
  pattern = {
    ['.*%.json'] = {
      function(path)
        if require('eval-ls.suites').is_suite(path) then
          return 'json.evals'
        end
      end,
      { priority = 10 },
    },
  },
})
vim.treesitter.language.register('json', 'json.evals')

local group = vim.api.nvim_create_augroup('eval-ls', {})

vim.api.nvim_create_autocmd('LspAttach', {
  group = group,
  desc = 'Show lenses, hints and verdicts of an eval suite',
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'eval_ls' then
      require('eval-ls.attach').attach(client, event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd('LspDetach', {
  group = group,
  desc = 'Take the verdicts of an eval suite away',
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'eval_ls' then
      require('eval-ls.attach').detach(event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd('LspProgress', {
  group = group,
  desc = 'Show how far eval-ls is',
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'eval_ls' then
      require('eval-ls.progress').show(event.data.params)
    end
  end,
})

require('eval-ls.commands').create()

if vim.lsp.enable then
  vim.lsp.enable('eval_ls')
else
  -- Neovim 0.10 knows neither `lsp/` nor `vim.lsp.enable`.
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = 'json.evals',
    desc = 'Start eval-ls',
    callback = function(event)
      require('eval-ls.client').start(event.buf)
    end,
  })
end
