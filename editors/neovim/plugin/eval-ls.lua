if vim.g.loaded_eval_ls then
  return
end
vim.g.loaded_eval_ls = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.api.nvim_echo({ { 'eval-ls: Neovim 0.10 or newer is needed', 'WarningMsg' } }, true, {})
  return
end

-- Neovim loads the plugins and syntax files of both parts of a compound filetype. So a suite has the highlighting,
-- indentation and (missing) comments of JSON, but no servers and autocommands for plain JSON.
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

vim.api.nvim_create_autocmd('BufReadPost', {
  group = group,
  pattern = '*/transcripts/*.json',
  desc = 'Show the checks that depend on the lines of a transcript',
  callback = function(event)
    require('eval-ls.attach').attach_transcript(event.buf)
  end,
})

vim.api.nvim_create_autocmd({ 'BufWritePost', 'FileChangedShellPost' }, {
  group = group,
  pattern = { 'eval-ls.toml', '*/transcripts/*.json' },
  desc = 'Report changed configurations and transcripts to eval-ls',
  callback = function(event)
    require('eval-ls.client').file_changed(vim.fn.fnamemodify(event.file, ':p'))
  end,
})

vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = 'json.evals',
  desc = 'Report that eval-ls is missing',
  callback = function()
    require('eval-ls.client').check_program()
  end,
})

vim.api.nvim_create_autocmd('LspDetach', {
  group = group,
  desc = 'Forget the verdicts of an eval suite',
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'eval_ls' then
      require('eval-ls.attach').detach(event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd('LspProgress', {
  group = group,
  desc = 'Show the progress of eval-ls',
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
  -- Neovim 0.10 has neither `lsp/` nor `vim.lsp.enable`.
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = { 'json.evals', 'toml', 'jsonl' },
    desc = 'Start eval-ls',
    callback = function(event)
      if require('eval-ls.suites').is_served(event.buf) then
        require('eval-ls.client').start(event.buf)
      end
    end,
  })
end

-- A plugin manager may load this after the first files.
vim.schedule(function()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local is_json = vim.api.nvim_buf_is_loaded(buf) and vim.bo[buf].filetype == 'json'
    if is_json and require('eval-ls.suites').is_suite(vim.api.nvim_buf_get_name(buf)) then
      vim.bo[buf].filetype = 'json.evals'
    end
  end
end)
