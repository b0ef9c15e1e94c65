local t = _G.t

local function checkhealth()
  vim.cmd('checkhealth eval-ls')
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  vim.cmd.bwipeout({ bang = true })
  return text
end

t.test('health reports the program, the workspace and the server', function()
  local folder = t.folder({
    ['eval-ls.toml'] = '[files]\ninclude = ["checks/*.json"]',
    ['checks/a.json'] = '{ "name": "n", "version": "0.2.0", "cases": [] }',
  })
  t.attached(t.edit(folder .. '/checks/a.json'))
  local text = checkhealth()
  t.contains(text, 'eval-ls 0.')
  t.contains(text, vim.env.EVAL_LS)
  t.contains(text, 'eval-ls.toml: ' .. folder .. '/eval-ls.toml')
  t.contains(text, '`[files].include` matches')
  t.contains(text, 'is running for ' .. folder)
  t.contains(text, 'the server has version 1 of the eval-ls methods')
  t.contains(text, 'a.json is an eval suite')
end)

t.test('health reports mistakes in the settings', function()
  local before = vim.g.eval_ls
  vim.g.eval_ls = { codelens = false, signs = 3, lenses = true }
  local text = checkhealth()
  vim.g.eval_ls = before
  t.contains(text, '`vim.g.eval_ls.lenses` does not exist')
  t.contains(text, '`vim.g.eval_ls.signs` is a number')
  t.contains(text, 'disabled in `vim.g.eval_ls`: codelens')
end)

t.test('health explains how to install a missing program', function()
  local program = require('eval-ls.client').program
  require('eval-ls.client').program = function()
    return 'no-such-eval-ls'
  end
  local text = checkhealth()
  require('eval-ls.client').program = program
  t.contains(text, '`no-such-eval-ls` was not found')
end)

t.test('health reports a server that has failed, and one that does not answer', function()
  local restart, suites = require('eval-ls.restart'), require('eval-ls.suites')
  restart.on_exit(101, 0, -1)
  local ask = suites.ask
  suites.ask = function() end
  local folder = t.folder({ ['evals/a.json'] = '{ "cases": [] }' })
  vim.cmd.edit(folder .. '/evals/a.json')
  local text = checkhealth()
  suites.ask, restart.failure = ask, nil
  t.contains(text, 'a server has ended with exit code 101')
  t.contains(text, 'evals/a.json is an eval suite: the server does not answer')
end)

t.test('a program that is not executable is named as such', function()
  local client = require('eval-ls.client')
  local program, folder = client.program, t.folder({ ['eval-ls'] = '' })
  client.program = function()
    return folder .. '/eval-ls'
  end
  local missing = client.missing()
  client.program = program
  t.contains(missing, 'eval-ls` is not executable')
end)

t.test('help tags are unique, and all links have a target', function()
  local plugin = vim.fn.fnamemodify(vim.env.SPEC, ':p:h:h')
  local doc = vim.fs.joinpath(vim.env.SCRATCH, 'help', 'doc')
  vim.fn.mkdir(doc, 'p')
  vim.uv.fs_copyfile(plugin .. '/doc/eval-ls.txt', doc .. '/eval-ls.txt')
  vim.cmd.helptags(doc)
  vim.opt.runtimepath:append(vim.fs.dirname(doc))
  local text = table.concat(vim.fn.readfile(doc .. '/eval-ls.txt'), '\n')
  for link in text:gmatch('|([^|%s]+)|') do
    local is_of_later_neovim = link:match('^gr') or link:match('^vim%.')
    if t.is_modern or not is_of_later_neovim then
      t.equal(#vim.fn.getcompletion(link, 'help') > 0, true, link)
    end
  end
  for name in pairs(vim.api.nvim_get_commands({})) do
    if name:match('^Eval') then
      t.contains(text, '*:' .. name .. '*')
    end
  end
  for option in pairs(require('eval-ls.options').defaults) do
    t.contains(text, '\n\t  ' .. option .. ' = ')
  end
end)

t.test('the commands that install the plugin work the first time and as an update', function()
  local plugin = vim.fn.fnamemodify(vim.env.SPEC, ':p:h:h')
  for _, file in ipairs({ '/README.md', '/doc/eval-ls.txt' }) do
    local text = table.concat(vim.fn.readfile(plugin .. file), '\n')
    local first, last = text:match('\n%s*(plugin=~[^\n]+)\n%s*(rm %-rf[^\n]+)\n')
    assert(first and last, file)
    local home = t.folder({})
    for _ = 1, 2 do
      local done = vim.system({ 'sh', '-ec', first .. '\n' .. last }, {
        cwd = vim.fn.fnamemodify(plugin, ':h:h'),
        env = { HOME = home },
        text = true,
      })
      local result = done:wait()
      t.equal({ result.code, result.stderr }, { 0, '' }, file)
    end
    local installed = home .. '/.local/share/nvim/site/pack/eval-ls/start/eval-ls'
    assert(vim.uv.fs_stat(installed .. '/plugin/eval-ls.lua'))
    t.equal(vim.uv.fs_stat(installed .. '/neovim'), nil)
  end
end)
