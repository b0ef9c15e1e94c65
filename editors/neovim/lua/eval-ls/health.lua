--- `:checkhealth eval-ls`
local M = {}

local health = vim.health

--- The version of the `eval-ls/*` methods that this plugin knows.
local PROTOCOL = 1

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
    health.ok(('Neovim %s; this plugin keeps lenses up to date'):format(version))
  else
    health.warn(('Neovim %s has no `vim.lsp.config()`; put settings into `vim.g.eval_ls.lsp`'):format(version), {
      'Neovim 0.11 and newer have `vim.lsp.config()`.',
    })
  end
end

---@return boolean
function M.program()
  health.start('Program')
  local program = require('eval-ls.client').program()
  local path = vim.fn.exepath(program)
  if path == '' then
    health.error(require('eval-ls.client').missing() or ('`%s` was not found'):format(program), {
      'Install it, for example with `cargo install --path .` in its repository, and put its folder on your `PATH`,',
      "or set its path: `vim.lsp.config('eval_ls', { cmd = { '/path/to/eval-ls', 'lsp' } })`",
    })
    return false
  end
  local answer = vim.system({ path, '--version' }, { text = true, timeout = 5000 }):wait()
  if answer.code ~= 0 then
    health.error(('`%s --version` exited with status %d'):format(path, answer.code), vim.trim(answer.stderr or ''))
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
    health.info('disabled in `vim.g.eval_ls`: ' .. table.concat(off, ', '))
  elseif #problems == 0 then
    health.ok('all features are enabled')
  end
end

---@param is_found boolean whether the program exists
function M.server(is_found)
  health.start('Server')
  if vim.lsp.is_enabled and not vim.lsp.is_enabled('eval_ls') then
    health.warn("the server is disabled by `vim.lsp.enable('eval_ls', false)`")
  end
  local clients = vim.lsp.get_clients({ name = 'eval_ls' })
  local failure = require('eval-ls.restart').failure
  if failure then
    local advice = 'Its last words are in ' .. (vim.lsp.log and vim.lsp.log.get_filename or vim.lsp.get_log_path)()
    health[#clients == 0 and 'error' or 'warn']('a server has ended with ' .. failure, advice)
  elseif #clients == 0 then
    health[is_found and 'info' or 'warn']('the server is not running; open an eval suite to start it')
  end
  for _, client in ipairs(clients) do
    local info = client.server_info
    local name = info and ('%s %s'):format(info.name, info.version or '') or 'eval-ls'
    health.ok(
      ('%s is running for %s, %d buffer(s)'):format(
        name,
        client.root_dir or 'single files',
        vim.tbl_count(client.attached_buffers)
      )
    )
    local protocol = vim.tbl_get(client.server_capabilities, 'experimental', 'eval-ls', 'protocol')
    if protocol == PROTOCOL then
      health.ok(('the server has version %d of the eval-ls methods'):format(protocol))
    else
      local older = not protocol or protocol < PROTOCOL
      health.warn(
        ('the server has version %s of the eval-ls methods, the plugin has %d'):format(protocol or 0, PROTOCOL),
        older and 'Install a newer eval-ls.' or 'Update the plugin.'
      )
    end
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
      health.warn('this server does not support ' .. table.concat(missing, ', '), 'Install a newer eval-ls.')
    end
  end
end

function M.workspace()
  health.start('Workspace')
  local suites = require('eval-ls.suites')
  -- `:checkhealth` has opened a new buffer; the user's buffer is the alternate buffer.
  local name = vim.fn.expand('#:p')
  local path = name ~= '' and vim.fs.normalize(name) or vim.uv.cwd()
  local config = suites.config_of(path)
  if config then
    health.ok('eval-ls.toml: ' .. config)
  else
    health.info(('there is no eval-ls.toml above %s; defaults apply, and there are no live targets'):format(path))
  end
  local buf = name ~= '' and vim.fn.bufnr('#') or -1
  if buf >= 0 and name:match('%.json$') then
    local answer = config and suites.ask(path, vim.fs.dirname(config))
    if answer then
      health.info(answer.reason)
    end
    local may_be, root = suites.by_default(path)
    if not answer and (config or may_be) and not suites.ask(path, root) then
      health.error(('unknown whether %s is an eval suite: the server does not answer'):format(name))
    elseif suites.is_suite(path) then
      health.ok(('%s is an eval suite, filetype `%s`'):format(name, vim.bo[buf].filetype))
      if vim.bo[buf].filetype ~= 'json.evals' then
        health.warn(
          'its filetype should be `json.evals`',
          'Another plugin may have set it; run `:set filetype=json.evals`.'
        )
      end
    else
      health.info(('%s is not an eval suite; see `[files]` in eval-ls.toml'):format(name))
    end
  end
  local verdicts = require('eval-ls.verdicts').of(buf >= 0 and buf or nil)
  if verdicts then
    health.ok(('target: %s (available: %s)'):format(verdicts.target, table.concat(verdicts.targets, ', ')))
  else
    health.info('open an eval suite to see the targets')
  end
end

function M.neotest()
  health.start('neotest')
  if pcall(require, 'neotest') then
    health.ok("neotest is installed; the adapter is `require('neotest-eval-ls')`")
  else
    health.info('neotest is not installed (optional)')
  end
end

return M
