--- Runs eval suites in neotest: `require('neotest').setup({ adapters = { require('neotest-eval-ls') } })`.
---
--- This file uses only `neotest.lib`, and no Vimscript functions, because neotest calls adapters in fast contexts.
--- `approval.lua` changes to the main loop before it talks to the server.
local suites = require('eval-ls.suites')
local approval = require('neotest-eval-ls.approval')
local results = require('neotest-eval-ls.results')

---@class eval_ls.NeotestSettings
---@field program? string default: `eval-ls` on the `PATH`
---@field args? string[] more arguments of `eval-ls run`, for example `{ '--target', 'agent', '--repeat', '3' }`

---@type eval_ls.NeotestSettings
local settings = {}

---@type neotest.Adapter
local adapter = { name = 'neotest-eval-ls' }

---@return string
local function program()
  return settings.program or 'eval-ls'
end

--- The folder of the nearest eval-ls.toml. Suites without one are found only if they are open.
---@param dir string
---@return string?
function adapter.root(dir)
  local config = suites.config_of(dir)
  return config and vim.fs.dirname(config)
end

---@type table<string, { seconds: integer, suites: table<string, boolean> }>
local known = {}

--- The suites with cases below an eval-ls.toml, from `eval-ls list`. They are listed again if the configuration or the file
--- may be newer than the list.
---@async
---@param config string
---@param file_path string
---@return table<string, boolean>
local function suites_below(config, file_path)
  local last = known[config]
  for _, path in ipairs({ config, file_path }) do
    local stat = vim.uv.fs_stat(path)
    if last and stat and math.max(stat.mtime.sec, stat.ctime.sec) >= last.seconds then
      last = nil
    end
  end
  if not last then
    last = { seconds = os.time(), suites = {} }
    local command = { program(), 'list', vim.fs.dirname(config) }
    local _, output = require('neotest.lib').process.run(command, { stdout = true })
    local ok, cases = pcall(vim.json.decode, output and output.stdout or '')
    for _, case in ipairs(ok and type(cases) == 'table' and cases or {}) do
      last.suites[vim.fs.normalize(case.file)] = true
    end
    known[config] = last
  end
  return last.suites
end

---@param name string
---@return boolean
function adapter.filter_dir(name)
  return not vim.list_contains({ 'node_modules', '.git', 'results', 'transcripts' }, name)
end

---@async
---@param file_path string
---@return boolean
function adapter.is_test_file(file_path)
  if not file_path:match('%.json$') then
    return false
  end
  local config = suites.config_of(file_path)
  if not config then
    local may_be, root = suites.by_default(file_path)
    if not may_be then
      return false
    end
    config = vim.fs.joinpath(root or vim.fs.dirname(file_path), 'eval-ls.toml')
  end
  return suites_below(config, file_path)[vim.fs.normalize(file_path)] == true
end

--- The suite and its cases, from `eval-ls list`.
---@async
---@param file_path string
---@return neotest.Tree?
function adapter.discover_positions(file_path)
  local lib = require('neotest.lib')
  local _, output = lib.process.run({ program(), 'list', file_path }, { stdout = true })
  local ok, listed = pcall(vim.json.decode, output and output.stdout or '')
  if not ok or type(listed) ~= 'table' then
    return nil
  end
  local positions = { { type = 'file', path = file_path, name = vim.fs.basename(file_path), range = { 0, 0, 0, 0 } } }
  for _, case in ipairs(listed) do
    -- `--cases` selects cases by id, so a case without an id cannot run alone.
    if case.id ~= '' then
      local first, last = case.range.start, case.range['end']
      local range = { first.line - 1, first.column - 1, last.line - 1, last.column - 1 }
      positions[#positions + 1] = { type = 'test', path = file_path, name = case.id, range = range }
      positions[1].range[3] = last.line
    end
  end
  return lib.positions.parse_tree(positions, {
    position_id = function(position)
      return results.id(position.path, position.name)
    end,
  })
end

--- The suites of a position.
---@param tree neotest.Tree
---@return string[]
local function files_of(tree)
  local files = {}
  for _, position in tree:iter() do
    if position.type == 'file' then
      files[#files + 1] = position.path
    end
  end
  return #files > 0 and files or { tree:data().path }
end

--- Runs a case, a suite or a folder of suites in one process. The suites of a folder are named one by one: so exactly the
--- discovered suites run, each with the configuration above it. The suites of a live target that a person refuses do not run.
---@async
---@param args neotest.RunArgs
---@return neotest.RunSpec?
function adapter.build_spec(args)
  local position = args.tree:data()
  local command = { program(), 'run', '--format', 'jsonl' }
  local more = vim.list_extend(vim.deepcopy(settings.args or {}), args.extra_args or {})
  -- Runs from neotest are for reading, so they leave no files in the workspace.
  if
    not vim.iter(more):any(function(argument)
      return argument == '--no-results' or vim.startswith(argument, '--results')
    end)
  then
    table.insert(command, '--no-results')
  end
  vim.list_extend(command, more)
  if position.type == 'test' then
    vim.list_extend(command, { '--cases=' .. position.name })
  end
  local files, root = files_of(args.tree), adapter.root(position.path)
  local refused, approved = approval.request(files, more, root)
  files = vim.tbl_filter(function(path)
    return not refused[path]
  end, files)
  vim.list_extend(command, approved)
  -- The results come from a file: Neovim 0.10 loses the last output of a program in a terminal.
  local events = results.file()
  if events then
    table.insert(command, '--report=jsonl=' .. events)
  end
  table.insert(command, '--')
  vim.list_extend(command, files)
  if #files == 0 then
    -- Without a specification, neotest would try each case. So it runs a command that does nothing.
    command = { program(), '--version' }
  end
  local reader = results.reader()
  return {
    command = command,
    cwd = root,
    -- The run has a terminal, in which eval-ls would draw a progress bar between the events.
    env = { TERM = 'dumb' },
    context = { reader = reader, events = events, refused = refused },
    stream = function(output_stream)
      return function()
        return reader(output_stream() or {})
      end
    end,
  }
end

--- Reads a file; a file that cannot be read is empty.
---@param path? string
---@return string
local function read(path)
  local file = path and io.open(path, 'r')
  local text = file and file:read('*a') or ''
  if file then
    file:close()
  end
  return text
end

--- Reads the events of a run. A suite whose cases have no event could not run, unless the run was stopped. Other cases without
--- an event did not run. Without events, the run did not start, and its output is the error of all cases.
---@param spec neotest.RunSpec
---@param result neotest.StrategyResult
---@param tree neotest.Tree
---@return table<string, neotest.Result>
function adapter.results(spec, result, tree)
  local context = spec.context
  local found, texts = context.reader(vim.split(read(context.events or result.output), '\n'))
  local is_stopped = next(texts) and (result.code >= 128 or result.code < 0)
  local message = 'eval-ls did not run this suite; see the output'
  if not next(texts) then
    message = vim.trim((read(result.output):gsub('\r', '')))
  end
  for _, position in tree:iter() do
    local has_run, refusal = texts[position.path] ~= nil, context.refused[position.path]
    if refusal then
      found[position.id] = { status = 'skipped', output = results.write(refusal), short = refusal }
    elseif position.type == 'test' and not found[position.id] then
      local is_broken = not has_run and result.code ~= 0 and not is_stopped
      found[position.id] = { status = is_broken and 'failed' or 'skipped', output = result.output }
      if is_broken then
        found[position.id].errors = { { message = message } }
      end
    elseif position.type == 'file' and has_run then
      local output = results.write(table.concat(texts[position.path], '\n'))
      -- neotest sets the status from the cases.
      found[position.id] = { status = 'passed', output = output }
    end
  end
  return found
end

--- `require('neotest-eval-ls')({ args = … })` returns the adapter with settings.
return setmetatable(adapter, {
  ---@param given? eval_ls.NeotestSettings
  __call = function(_, given)
    settings = given or {}
    return adapter
  end,
})
