local t = _G.t

-- A fake of neotest's documented interface, because neotest is not in a package registry. Trees have the
-- interface of `neotest.Tree`, and lines come from a terminal, as with the integrated strategy.
local function tree_of(positions, position_id)
  local nodes = {}
  for index, data in ipairs(positions) do
    data.id = index == 1 and data.path or position_id(data, {})
    nodes[index] = {
      data = function()
        return data
      end,
      iter = function()
        return coroutine.wrap(function()
          for at, other in ipairs(index == 1 and positions or { data }) do
            coroutine.yield(at, other)
          end
        end)
      end,
    }
  end
  nodes[1].nodes = nodes
  return nodes[1]
end

package.loaded['neotest.lib'] = {
  process = {
    run = function(command, opts)
      local done = vim.system(command, { text = true }):wait()
      return done.code, opts.stdout and { stdout = done.stdout } or {}
    end,
  },
  positions = {
    parse_tree = function(positions, opts)
      return tree_of(positions, opts.position_id)
    end,
  },
}

-- neotest calls adapters in tasks of nvim-nio, which wait without blocking the editor.
package.loaded['nio'] = {
  scheduler = function() end,
  control = {
    future = function()
      local value
      return {
        set = function(given)
          value = given
        end,
        wait = function()
          t.wait('the future', function()
            return value ~= nil
          end)
          return value
        end,
      }
    end,
  },
}

-- Runs a specification in a terminal, as neotest does, and streams its output.
local function run(spec)
  local lines, rest, whole = {}, '', {}
  local streamed = {}
  local next_results = spec.stream(function()
    local taken = lines
    lines = {}
    return taken
  end)
  local code
  local job = vim.fn.jobstart(spec.command, {
    cwd = spec.cwd,
    env = spec.env,
    pty = true,
    width = 80,
    on_stdout = function(_, data)
      table.insert(whole, table.concat(data, '\n'))
      data[1] = rest .. data[1]
      rest = table.remove(data)
      vim.list_extend(lines, data)
      for id, result in pairs(next_results()) do
        streamed[id] = streamed[id] or result
      end
    end,
    on_exit = function(_, status)
      code = status
    end,
  })
  assert(job > 0)
  t.wait('the run', function()
    return code
  end)
  local output = vim.fn.tempname()
  vim.fn.writefile(vim.split(table.concat(whole), '\n'), output, 'b')
  return { code = code, output = output }, streamed
end

-- The questions to the user, and the answer.
local asked, answer = {}, 'Allow and run'
vim.ui.select = function(items, opts, on_choice)
  table.insert(asked, opts.prompt)
  on_choice(vim.iter(items):find(function(item)
    return (opts.format_item and opts.format_item(item) or item):find(answer, 1, true)
  end))
end

local adapter = require('neotest-eval-ls')({ program = vim.env.EVAL_LS, args = { '--no-results' } })

local function workspace()
  return t.folder({
    ['eval-ls.toml'] = '[targets.agent]\nkind = "command"\ncommand = ["sh", "-c", "printf \'{\\"response\\": \\"hi\\"}\'"]\n',
    ['evals/a.json'] = [[
{
  "name": "s", "version": "0.2.0",
  "cases": [
    { "prompt": "Say hi.",
      "id": "GOOD",
      "expected": { "must_say_any": ["hi"] } },
    { "id": "BAD 🐈",
      "prompt": "Say more.",
      "expected": {
        "must_say_any": ["ho"],
        "must_not_say": ["hi"] } }
  ]
}]],
    ['evals/b.json'] = '{ "name": "b", "version": "0.2.0",\n"cases": [ { "id": "B", "prompt": "p", "expected": { "must_say_any": ["hi"] } } ] }',
    ['evals/broken.json'] = '{ "name": "b", "version": "0.2.0", "cases": [ { "id": "C" } ',
    ['package.json'] = '{}',
  })
end

t.test('suites and the places of their cases are found', function()
  local folder = workspace()
  t.equal(adapter.root(folder .. '/evals'), folder)
  t.equal(adapter.root(t.folder({})), nil)
  t.equal(adapter.is_test_file(folder .. '/evals/a.json'), true)
  t.equal(adapter.is_test_file(folder .. '/package.json'), false)
  t.equal(adapter.filter_dir('transcripts'), false)
  t.equal(adapter.filter_dir('evals'), true)
  local path = folder .. '/evals/a.json'
  local tree = adapter.discover_positions(path)
  local found = vim.tbl_map(function(node)
    return node.data()
  end, tree.nodes)
  t.equal(found, {
    { type = 'file', path = path, name = 'a.json', id = path, range = { 0, 0, 11, 0 } },
    { type = 'test', path = path, name = 'GOOD', id = path .. '::GOOD', range = { 3, 4, 5, 46 } },
    { type = 'test', path = path, name = 'BAD 🐈', id = path .. '::BAD 🐈', range = { 6, 4, 10, 34 } },
  })
end)

t.test('a suite runs, and each failed check has its line', function()
  local folder = workspace()
  local path = folder .. '/evals/a.json'
  local tree = adapter.discover_positions(path)
  local spec = adapter.build_spec({ tree = tree, extra_args = { '--target', 'agent' } })
  local result, streamed = run(spec)
  local found = adapter.results(spec, result, tree)
  for id, streamed_result in pairs(streamed) do
    t.equal(found[id], streamed_result, 'streamed')
  end
  -- Neovim 0.10 loses the last output of a terminal.
  if vim.fn.has('nvim-0.11') == 1 then
    t.equal(vim.tbl_count(streamed), 2, 'all cases were streamed')
  end
  t.equal(found[path .. '::GOOD'].status, 'passed')
  t.equal(found[path .. '::GOOD'].errors, nil)
  local bad = found[path .. '::BAD 🐈']
  t.equal(bad.status, 'failed')
  t.equal(bad.output, streamed[path .. '::BAD 🐈'].output)
  t.equal(#bad.errors, 2)
  t.equal({ bad.errors[1].line, bad.errors[2].line }, { 10, 9 })
  t.contains(bad.errors[2].message, 'must_say_any: `ho` is not said')
  t.contains(bad.short, 'FAIL BAD 🐈')
  local output = table.concat(vim.fn.readfile(bad.output), '\n')
  t.contains(output, '✗ must_say_any: `ho`')
  t.contains(output, '> Say more.')
end)

t.test('a live target runs only if a person allows it', function()
  local folder = workspace()
  local path = folder .. '/evals/a.json'
  local tree = adapter.discover_positions(path)
  asked, t.notified = {}, {}
  adapter.build_spec({ tree = tree })
  t.equal(asked, {}, 'replay needs no approval')
  answer = 'Do not run'
  local refused = adapter.build_spec({ tree = tree, extra_args = { '--target=agent' } })
  t.equal(#asked, 1)
  t.contains(asked[1], 'sh -c')
  t.equal(refused.command, { vim.env.EVAL_LS, '--version' })
  local output = vim.fn.tempname()
  local found = adapter.results(refused, { code = 0, output = output }, tree)
  t.equal(t.notified, { 'eval-ls: cases are skipped: target `agent` was not allowed to run, so it ran no case' })
  local bad = found[path .. '::BAD 🐈']
  t.equal({ bad.status, bad.short }, { 'skipped', 'target `agent` was not allowed to run, so it ran no case' })
  t.equal(vim.fn.readfile(bad.output), { bad.short })
  answer = 'Allow and run'
  for _ = 1, 2 do
    local spec = adapter.build_spec({ tree = tree, extra_args = { '--target', 'agent' } })
    t.equal(spec.command[2], 'run')
    t.equal(#asked, 2, 'the approval is remembered')
    local bound = vim.iter(spec.command):any(function(argument)
      return argument:match('^%-%-approved=%x+$') and #argument == #'--approved=' + 64
    end)
    t.equal(bound, true, 'the run is bound to what was allowed')
  end
  vim.fn.writefile({ '[targets.agent]', 'kind = "command"', 'command = ["other"]' }, folder .. '/other.toml')
  adapter.build_spec({ tree = tree, extra_args = { '--target', 'agent', '--config', 'other.toml' } })
  t.equal(#asked, 3)
  t.contains(asked[3], 'other')
end)

t.test('a case runs alone', function()
  local folder = workspace()
  local path = folder .. '/evals/a.json'
  local tree = adapter.discover_positions(path)
  local spec = adapter.build_spec({ tree = tree.nodes[3], extra_args = { '--target', 'agent' } })
  local result = run(spec)
  t.equal(vim.tbl_keys(adapter.results(spec, result, tree.nodes[3])), { path .. '::BAD 🐈' })
end)

t.test('a case that cannot be judged has the reason at its id', function()
  local folder = workspace()
  local path = folder .. '/evals/b.json'
  local tree = adapter.discover_positions(path)
  local spec = adapter.build_spec({ tree = tree })
  local found = adapter.results(spec, run(spec), tree)[path .. '::B']
  t.equal(found.status, 'failed')
  t.equal(found.errors[1].line, 1)
  t.contains(found.errors[1].message, 'stored answer')
end)

t.test('a run that cannot start reports the reason', function()
  local folder = workspace()
  local path = folder .. '/evals/broken.json'
  local tree = adapter.discover_positions(path)
  local spec = adapter.build_spec({ tree = tree })
  local found = adapter.results(spec, run(spec), tree)[path .. '::C']
  t.equal(found.status, 'failed')
  t.contains(found.errors[1].message, 'invalid-json')
end)

-- A folder with these suites of one case, `B`.
local function tree_below(folder, paths)
  local positions = { { type = 'dir', path = folder, name = 'folder' } }
  for _, suite in ipairs(paths) do
    local path = folder .. suite
    t.equal(adapter.is_test_file(path), true)
    vim.list_extend(positions, {
      { type = 'file', path = path, name = 'b.json' },
      { type = 'test', path = path, name = 'B' },
    })
  end
  return tree_of(positions, function(position)
    return position.type == 'test' and position.path .. '::' .. position.name or position.path
  end)
end

t.test('a folder runs its discovered suites, each with its own configuration', function()
  local folder = workspace()
  local target = '[targets.agent]\nkind = "command"\ncommand = ["sh", "-c", "printf \'{\\"response\\": \\"ho\\"}\'"]\n'
  vim.fn.mkdir(folder .. '/inner/evals', 'p')
  vim.fn.writefile(vim.split(target, '\n'), folder .. '/inner/eval-ls.toml')
  local config = vim.fn.readfile(folder .. '/eval-ls.toml')
  vim.fn.writefile(vim.list_extend({ '[files]', 'exclude = ["inner/**"]' }, config), folder .. '/eval-ls.toml')
  vim.fn.writefile(vim.fn.readfile(folder .. '/evals/b.json'), folder .. '/inner/evals/b.json')
  local tree = tree_below(folder, { '/evals/b.json', '/inner/evals/b.json' })
  local spec = adapter.build_spec({ tree = tree, extra_args = { '--target', 'agent' } })
  local found = adapter.results(spec, run(spec), tree)
  t.equal(found[folder .. '/evals/b.json::B'].status, 'passed')
  t.equal(found[folder .. '/inner/evals/b.json::B'].status, 'failed', 'the answer of the inner target')
  local output = table.concat(vim.fn.readfile(found[folder .. '/inner/evals/b.json'].output), '\n')
  t.contains(output, 'FAIL B')
  t.equal(output:find('"event"', 1, true), nil)
end)

t.test('a refused target skips only its suites', function()
  local folder = workspace()
  local suites = { '/evals/b.json', '/one/evals/b.json', '/one/evals/c.json', '/two/evals/b.json' }
  local suite, config = vim.fn.readfile(folder .. '/evals/b.json'), vim.fn.readfile(folder .. '/eval-ls.toml')
  for _, path in ipairs(suites) do
    vim.fn.mkdir(vim.fs.dirname(folder .. path), 'p')
    vim.fn.writefile(suite, folder .. path)
  end
  for _, name in ipairs({ 'one', 'two' }) do
    local live = vim.list_extend({ '[run]', ('target = "%s"'):format(name), ('[targets.%s]'):format(name) }, config, 2)
    vim.fn.writefile(live, folder .. '/' .. name .. '/eval-ls.toml')
  end
  local tree = tree_below(folder, suites)
  local function results()
    asked, t.notified = {}, {}
    local spec = adapter.build_spec({ tree = tree })
    t.equal(spec.command[2], 'run')
    local found = adapter.results(spec, run(spec), tree)
    return vim.tbl_map(function(path)
      local case, file = found[folder .. path .. '::B'], found[folder .. path]
      return case.status == 'skipped' and case.short == file.short and case.short or case.status
    end, suites)
  end
  answer = 'Do not run'
  local one, two =
    'target `one` was not allowed to run, so it ran no case', 'target `two` was not allowed to run, so it ran no case'
  t.equal(results(), { 'failed', one, one, two }, 'replay has no stored answer')
  t.equal(#asked, 2, 'a question for each target')
  t.equal(t.notified, { ('eval-ls: cases are skipped: %s; %s'):format(one, two) })
  answer = 'Allow and run'
  t.equal(results(), { 'failed', 'passed', 'passed', 'passed' })
  t.equal(t.notified, {})
end)

t.test('cases that did not run are skipped, and cases of a suite that cannot run fail', function()
  local folder = workspace()
  local good, broken = folder .. '/evals/b.json', folder .. '/evals/broken.json'
  local positions = { { type = 'dir', path = folder .. '/evals', name = 'evals' } }
  vim.list_extend(positions, {
    { type = 'file', path = good, name = 'b.json' },
    { type = 'test', path = good, name = 'B' },
    { type = 'test', path = good, name = 'LATER' },
    { type = 'file', path = broken, name = 'broken.json' },
    { type = 'test', path = broken, name = 'C' },
  })
  local tree = tree_of(positions, function(position)
    return position.type == 'test' and position.path .. '::' .. position.name or position.path
  end)
  local spec = adapter.build_spec({ tree = tree, extra_args = { '--target', 'agent' } })
  local result = run(spec)
  local found = adapter.results(spec, result, tree)
  t.equal(found[good .. '::B'].status, 'passed')
  t.equal(found[good .. '::LATER'].status, 'skipped')
  t.equal(found[broken .. '::C'].status, 'failed')
  t.contains(found[broken .. '::C'].errors[1].message, 'did not run this suite')
  result.code = 143
  t.equal(adapter.results(spec, result, tree)[broken .. '::C'].status, 'skipped', 'a stopped run')
end)

t.test('runs leave no files, unless results are wanted', function()
  local folder = workspace()
  local tree = adapter.discover_positions(folder .. '/evals/b.json')
  local plain = require('neotest-eval-ls')({ program = vim.env.EVAL_LS })
  local spec = plain.build_spec({ tree = tree, extra_args = { '--target', 'agent' } })
  local found = plain.results(spec, run(spec), tree)
  t.equal(vim.uv.fs_stat(folder .. '/evals/results'), nil)
  local output = found[folder .. '/evals/b.json::B'].output
  t.equal(vim.startswith(output, vim.fs.dirname(vim.fs.dirname(vim.fn.tempname()))), true, 'Neovim removes it')
  local wanting = plain.build_spec({ tree = tree, extra_args = { '--results', 'elsewhere' } })
  t.equal(vim.list_contains(wanting.command, '--no-results'), false)
  require('neotest-eval-ls')({ program = vim.env.EVAL_LS, args = { '--no-results' } })
end)

t.test('a folder runs in one process', function()
  local folder = workspace()
  vim.fn.delete(folder .. '/evals/broken.json')
  local dir = tree_of({ { type = 'dir', path = folder .. '/evals', name = 'evals' } })
  local spec = adapter.build_spec({ tree = dir, extra_args = { '--target', 'agent' } })
  local found = vim.tbl_keys(adapter.results(spec, run(spec), dir))
  table.sort(found)
  t.equal(found, { folder .. '/evals/a.json::BAD 🐈', folder .. '/evals/a.json::GOOD', folder .. '/evals/b.json::B' })
end)
