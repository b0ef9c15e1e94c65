--- `:checkhealth eval-ls`
local M = {}

local health = vim.health

function M.check()
  M.neovim()
  local is_found = M.program()
  M.options()
  M.server(is_found)
  M.workspace()
  M.neotest()
end

function M.neovim()
  health.start('Neovim')
  local version = tostring(vim.version())
  if vim.fn.has('nvim-0.12') == 1 then
    health.ok('Neovim ' .. version)
  elseif vim.fn.has('nvim-0.11') == 1 then
    health.ok(('Neovim %s; lenses are kept fresh by this plugin'):format(version))
  else
    health.warn(('Neovim %s works, without `vim.lsp.config()`: settings go into `vim.g.eval_ls.lsp`'):format(version), {
      'Neovim 0.11 or newer has it.',
    })
  end
end

---@return boolean
function M.program()
  health.start('Program')
  local program = require('eval-ls.client').program()
  local path = vim.fn.exepath(program)
  if path == '' then
    health.error(('`%s` was not found'):format(program), {
      'Install it, for instance with `cargo install --path .` in its repository, and have its folder on your `PATH`,',
      "or name it: `vim.lsp.config('eval_ls', { cmd = { '/path/to/eval-ls', 'lsp' } })`",
    })
    return false
  end
  local answer = vim.system({ path, '--version' }, { text = true, timeout = 5000 }):wait()
  if answer.code ~= 0 then
    health.error(('`%s --version` ended with status %d'):format(path, answer.code), vim.trim(answer.stderr or ''))
    return false
  end
  health.ok(('%s: %s'):format(vim.split(answer.stdout, '\n')[1], path))
  return true
end

function M.options()
  health.start('Settings')
  local problems = require('eval-ls.options').problems()
  for _, problem in ipairs(problems) do
    health.error(problem, 'See |eval-ls-settings|.')
  end
  local off = {}
  for name, value in vim.spairs(require('eval-ls.options').get()) do
    if value == false then
      off[#off + 1] = name
    end
  end
  if #off > 0 then
    health.info('switched off with `vim.g.eval_ls`: ' .. table.concat(off, ', '))
  elseif #problems == 0 then
    health.ok('nothing is switched off')
  end
end

---@param is_found boolean whether there is a program to start
function M.server(is_found)
  health.start('Server')
  if vim.lsp.is_enabled and not vim.lsp.is_enabled('eval_ls') then
    health.warn("it is disabled: `vim.lsp.enable('eval_ls', false)` was called")
  end
  local clients = vim.lsp.get_clients({ name = 'eval_ls' })
  if #clients == 0 then
    health[is_found and 'info' or 'warn']('it does not run; it is started when an eval suite is opened')
  end
  for _, client in ipairs(clients) do
    local info = client.server_info
    local name = info and ('%s %s'):format(info.name, info.version or '') or 'eval-ls'
    health.ok(
      ('%s runs for %s, %d buffer(s)'):format(
        name,
        client.root_dir or 'single files',
        vim.tbl_count(client.attached_buffers)
      )
    )
    local missing = {}
    for capability, what in
      vim.spairs({
        codeLensProvider = 'lenses',
        completionProvider = 'completion',
        hoverProvider = 'hover',
        inlayHintProvider = 'inlay hints',
        executeCommandProvider = 'running',
      })
    do
      if not client.server_capabilities[capability] then
        missing[#missing + 1] = what
      end
    end
    if #missing > 0 then
      health.warn('this server has no ' .. table.concat(missing, ', '), 'Install a newer eval-ls.')
    end
  end
end

function M.workspace()
  health.start('Workspace')
  local suites = require('eval-ls.suites')
  -- `:checkhealth` has opened a buffer of its own; the one that was looked at is the alternate one.
  local name = vim.fn.expand('#:p')
  local path = name ~= '' and vim.fs.normalize(name) or vim.uv.cwd()
  local config = suites.config_of(path)
  if config then
    health.ok('eval-ls.toml: ' .. config)
    health.info('suites are ' .. table.concat(suites.files(config).include, ', '))
  else
    health.info(('there is no eval-ls.toml above %s: all defaults hold, and nothing can be run live'):format(path))
  end
  local buf = name ~= '' and vim.fn.bufnr('#') or -1
  if buf >= 0 and name:match('%.json$') then
    if suites.is_suite(path) then
      health.ok(('%s is an eval suite, filetype `%s`'):format(name, vim.bo[buf].filetype))
      if vim.bo[buf].filetype ~= 'json.evals' then
        health.warn(
          'its filetype should be `json.evals`',
          'Another plugin may have set it; `:set filetype=json.evals` mends it.'
        )
      end
    else
      health.info(('%s is no eval suite: `[files]` of eval-ls.toml does not take it'):format(name))
    end
  end
  local verdicts = require('eval-ls.verdicts').of(buf >= 0 and buf or nil)
  if verdicts then
    health.ok(('target: %s, of %s'):format(verdicts.target, table.concat(verdicts.targets, ', ')))
  else
    health.info('targets: open an eval suite to see them')
  end
end

function M.neotest()
  health.start('neotest')
  if pcall(require, 'neotest') then
    health.ok("neotest is installed; the adapter is `require('neotest-eval-ls')`")
  else
    health.info('neotest is not installed, and not needed')
  end
end

return M
