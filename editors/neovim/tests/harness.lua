-- Runs one file of tests, `$SPEC`, and ends Neovim with the number of failures. A test is a function that throws where
-- something is not as it should be; it waits for conditions, never for a time.
local t = { tests = {} }

t.is_modern = vim.fn.has('nvim-0.12') == 1

---@param name string
---@param run fun()
function t.test(name, run)
  table.insert(t.tests, { name = name, run = run })
end

--- Throws where two values differ.
function t.equal(actual, expected, what)
  if not vim.deep_equal(actual, expected) then
    local text = 'expected %s, got %s'
    error((what and what .. ': ' or '') .. text:format(vim.inspect(expected), vim.inspect(actual)), 2)
  end
end

--- Throws where a text has no part that is `part`.
function t.contains(text, part)
  if not tostring(text):find(part, 1, true) then
    error(('%q is not in %s'):format(part, text), 2)
  end
end

--- Waits for `condition` to answer something true, and returns that.
function t.wait(what, condition, timeout)
  local answer
  local is_met = vim.wait(timeout or 15000, function()
    answer = condition()
    return answer
  end, 10)
  if not is_met then
    error('timed out waiting for ' .. what, 2)
  end
  return answer
end

--- A fresh folder with these files, by path; returns its path.
local folders = 0
function t.folder(files)
  folders = folders + 1
  local folder = vim.fs.joinpath(vim.uv.fs_realpath(vim.env.SCRATCH), 'folder' .. folders)
  vim.fn.mkdir(folder, 'p')
  for path, text in pairs(files) do
    local file = vim.fs.joinpath(folder, path)
    vim.fn.mkdir(vim.fs.dirname(file), 'p')
    vim.fn.writefile(vim.split(text, '\n'), file)
  end
  return folder
end

--- Edits a file and returns its buffer.
function t.edit(path)
  vim.cmd.edit(vim.fn.fnameescape(path))
  return vim.api.nvim_get_current_buf()
end

--- Waits until the server has taken the buffer on.
function t.attached(buf)
  return t.wait('the server', function()
    local client = vim.lsp.get_clients({ name = 'eval_ls', bufnr = buf })[1]
    return client and client.initialized and client
  end)
end

--- Ends a server, as users do.
function t.stop(client)
  if vim.fn.has('nvim-0.11') == 1 then
    client:stop()
  else
    client.stop()
  end
end

--- Replaces text of a buffer's line, counted from 1.
function t.replace(buf, line, old, new)
  local text = vim.api.nvim_buf_get_lines(buf, line - 1, line, true)[1]
  local first, last = text:find(old, 1, true)
  assert(first, ('%q is not in line %d: %s'):format(old, line, text))
  vim.api.nvim_buf_set_text(buf, line - 1, first - 1, line - 1, last, { new })
end

--- Another Neovim, where keys can be typed: this one is busy with running the test.
function t.child()
  local plugin = vim.fn.fnamemodify(vim.env.SPEC, ':p:h:h')
  local command = { vim.env.NVIM_PROGRAM, '--embed', '--headless', '--clean', '--cmd', 'set noswapfile' }
  vim.list_extend(
    command,
    { '--cmd', 'set runtimepath^=' .. plugin, '--cmd', 'luafile ' .. plugin .. '/tests/init.lua' }
  )
  local channel = vim.fn.jobstart(command, { rpc = true, cwd = plugin })
  local child = {}
  function child.input(keys)
    vim.rpcrequest(channel, 'nvim_input', keys)
  end
  function child.lua(code, ...)
    return vim.rpcrequest(channel, 'nvim_exec_lua', code, { ... })
  end
  --- Waits until an expression of Lua is true there.
  function child.wait(expression)
    return t.wait(expression, function()
      return child.lua('return ' .. expression)
    end)
  end
  function child.stop()
    pcall(vim.rpcrequest, channel, 'nvim_command', 'qall!')
    vim.fn.jobwait({ channel }, 5000)
  end
  return child
end

--- What is shown to the user with `vim.notify`.
t.notified = {}
vim.notify = function(message)
  table.insert(t.notified, message)
end

_G.t = t
local failures = 0
-- Not on standard output, where Neovim writes its messages.
local report = assert(io.open(vim.env.REPORT, 'w'))
local loaded, problem = pcall(dofile, vim.env.SPEC)
if not loaded then
  t.test('loads', function()
    error(problem, 0)
  end)
end
for _, case in ipairs(t.tests) do
  local ok, err = xpcall(case.run, debug.traceback)
  failures = failures + (ok and 0 or 1)
  local name = ('%s: %s'):format(vim.fs.basename(vim.env.SPEC):gsub('_spec%.lua$', ''), case.name)
  report:write(('%s %s\n'):format(ok and 'ok' or 'not ok', name))
  if not ok then
    report:write('    ' .. tostring(err):gsub('\n', '\n    ') .. '\n')
    report:write('    notified: ' .. vim.inspect(t.notified):gsub('\n', '\n    ') .. '\n')
  end
end
report:close()
for _, client in ipairs(vim.lsp.get_clients()) do
  t.stop(client)
end
-- Neovim 0.10 ignores SIGPIPE only until it starts to end, and a write to a server that has ended kills it from then on.
vim.wait(15000, function()
  return #vim.lsp.get_clients() == 0
end, 10)
vim.cmd(failures == 0 and 'qall!' or 'cquit')
