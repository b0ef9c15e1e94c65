local t = _G.t
local suites = require('eval-ls.suites')

local SUITE = '{ "cases": [] }'

t.test('only suites have the filetype json.evals', function()
  local folder = t.folder({
    ['.git/HEAD'] = 'ref: refs/heads/main',
    ['package.json'] = '{}',
    ['my-eval-set.v0.2.json'] = SUITE,
    ['chat.evals.json'] = SUITE,
    ['evals/a.json'] = SUITE,
    ['evals/other.json'] = '{ "prompts": ["x"], "tests": [] }',
    ['evals/results/a.json'] = '{}',
    ['evals/deep/a.json'] = '{}',
    ['results/x.evals.json'] = SUITE,
    ['node_modules/p/x.evals.json'] = SUITE,
  })
  for path, filetype in pairs({
    ['package.json'] = 'json',
    ['my-eval-set.v0.2.json'] = 'json.evals',
    ['chat.evals.json'] = 'json.evals',
    ['evals/a.json'] = 'json.evals',
    ['evals/new.json'] = 'json.evals',
    ['evals/other.json'] = 'json',
    ['evals/results/a.json'] = 'json',
    ['evals/deep/a.json'] = 'json',
    ['results/x.evals.json'] = 'json',
    ['node_modules/p/x.evals.json'] = 'json',
  }) do
    local buf = t.edit(vim.fs.joinpath(folder, path))
    t.equal(vim.bo[buf].filetype, filetype, path)
  end
end)

t.test('folders above the workspace exclude nothing', function()
  local folder = t.folder({ ['results/.git/HEAD'] = '', ['results/w/evals/a.json'] = SUITE })
  t.equal(suites.is_suite(folder .. '/results/w/evals/a.json'), true)
  folder = t.folder({ ['results/w/evals/a.json'] = SUITE, ['results/w/a.json'] = SUITE })
  t.equal(suites.is_suite(folder .. '/results/w/evals/a.json'), true)
  t.equal(suites.is_suite(folder .. '/results/w/a.json'), false)
end)

t.test('a folder called `evals` may be the root', function()
  local folder = t.folder({ ['evals/.git/HEAD'] = '', ['evals/a.json'] = SUITE, ['evals/sub/a.json'] = SUITE })
  t.equal(suites.is_suite(folder .. '/evals/a.json'), true)
  t.equal(suites.is_suite(folder .. '/evals/sub/a.json'), false)
end)

t.test('[files] determines which files are suites', function()
  local folder = t.folder({
    ['eval-ls.toml'] = '[files]\ninclude = ["checks/**/*.json"] # ours\nexclude = ["**/old/**"]\n[run]\njobs = 2',
    ['checks/a/b.json'] = SUITE,
    ['checks/old/b.json'] = SUITE,
    ['evals/a.json'] = SUITE,
  })
  for path, filetype in pairs({
    ['checks/a/b.json'] = 'json.evals',
    ['checks/old/b.json'] = 'json',
    ['evals/a.json'] = 'json',
  }) do
    t.equal(vim.bo[t.edit(vim.fs.joinpath(folder, path))].filetype, filetype, path)
  end
end)

t.test('a changed eval-ls.toml is read again', function()
  local folder = t.folder({ ['eval-ls.toml'] = '' })
  t.equal(suites.is_suite(folder .. '/x.json'), false)
  vim.fn.writefile({ '[files]', "include = ['*.json']" }, folder .. '/eval-ls.toml')
  t.equal(suites.is_suite(folder .. '/x.json'), true)
end)

t.test('one server answers for a folder and its suites', function()
  local folder =
    t.folder({ ['eval-ls.toml'] = '[files]\ninclude = ["x.json"]', ['x.json'] = SUITE, ['y.json'] = SUITE })
  local function servers()
    return vim.tbl_filter(function(client)
      return client.config.root_dir == folder
    end, vim.lsp.get_clients({ name = 'eval_ls' }))
  end
  local buf = t.edit(folder .. '/x.json')
  t.equal(vim.bo[buf].filetype, 'json.evals')
  t.attached(buf)
  t.equal(vim.bo[t.edit(folder .. '/y.json')].filetype, 'json')
  t.equal(#servers(), 1)
end)

t.test('without a server, the name of a suite counts', function()
  local folder = t.folder({ ['eval-ls.toml'] = '[files]\ninclude = ["x.json"]' })
  local server = require('eval-ls.client')
  local for_root = server.for_root
  server.for_root = function() end
  t.equal(suites.is_suite(folder .. '/x.json'), false)
  t.equal(suites.is_suite(folder .. '/a.evals.json'), true)
  -- Here the content decides, which only the server reads.
  t.equal(suites.is_suite(folder .. '/evals/x.json'), false)
  server.for_root = for_root
end)

t.test('buffers without a file are not suites', function()
  t.equal(suites.is_suite('fugitive:///repo/.git//0/a.evals.json'), false)
  t.equal(suites.is_suite(''), false)
end)

t.test('a suite keeps the settings of JSON', function()
  local folder = t.folder({ ['a.evals.json'] = '{ "cases": [ { "id": "A" } ] }' })
  vim.cmd('syntax enable')
  local buf = t.edit(folder .. '/a.evals.json')
  t.equal(vim.bo[buf].commentstring, '')
  t.equal(vim.treesitter.language.get_lang('json.evals'), 'json')
  t.contains(vim.bo[buf].indentexpr, 'JSON')
  t.equal(vim.fn.synIDattr(vim.fn.synID(1, 4, 1), 'name'), 'jsonKeyword')
end)
