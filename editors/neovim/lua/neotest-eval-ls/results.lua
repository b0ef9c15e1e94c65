--- Converts the events of `eval-ls run --format jsonl` to results of neotest.
local M = {}

--- A folder for outputs. Neovim removes it when it exits. Its name is requested when the module is loaded, because callbacks
--- of neotest must not call Vimscript functions.
local folder = vim.fn.tempname()

--- Writes a text to a file, for neotest's output window.
---@param text string
---@return string?
function M.write(text)
  vim.uv.fs_mkdir(folder, 448) -- 0700; fails if the folder exists
  local descriptor, path = vim.uv.fs_mkstemp(folder .. '/XXXXXX')
  if not descriptor then
    return nil
  end
  vim.uv.fs_write(descriptor, text)
  vim.uv.fs_close(descriptor)
  return path
end

--- The path of a new, empty file. Neovim removes it when it exits.
---@return string?
function M.file()
  return M.write('')
end

--- The id of the position of a case.
---@param path string of the suite
---@param case string
---@return string
function M.id(path, case)
  return path .. '::' .. case
end

--- Returns a function that converts lines of output to results, and to the texts of each suite's results. It may receive a
--- line more than once.
---@return fun(lines: string[]): table<string, neotest.Result>, table<string, string[]>
function M.reader()
  local known = {}
  return function(lines)
    local found, texts = {}, {}
    for _, line in ipairs(lines) do
      -- A terminal ends lines with `\r\n`, and may write standard error before them.
      line = line:match('{"event":"case%-finished".*}')
      if line then
        local result = known[line]
        local ok, event = pcall(vim.json.decode, line, { luanil = { object = true } })
        if ok then
          known[line] = result or M.result(event)
          found[M.id(event.suite, event.case)] = known[line]
          texts[event.suite] = texts[event.suite] or {}
          table.insert(texts[event.suite], M.text(event))
        end
      end
    end
    return found, texts
  end
end

---@param event table `case-finished`
---@return neotest.Result
function M.result(event)
  local result, errors = event.result or {}, {}
  if event.status == 'ERROR' then
    errors[1] = { message = result.reason or 'the case could not be judged', line = event.range.start.line - 1 }
  end
  for _, check in ipairs(result.check_details or {}) do
    if check.outcome == 'failed' then
      local line = check.suite and check.suite.line or event.range.start.line
      errors[#errors + 1] = { message = ('%s: %s'):format(check.id, check.message), line = line - 1 }
    end
  end
  local has_passed = event.status == 'PASS' or event.status == 'PARTIAL'
  local text = M.text(event)
  return {
    status = has_passed and 'passed' or 'failed',
    short = vim.split(text, '\n')[1],
    output = M.write(text),
    -- With a soft score, a case may pass despite failed checks.
    errors = not has_passed and errors or nil,
  }
end

--- Formats the result of a case.
---@param event table `case-finished`
---@return string
function M.text(event)
  local result = event.result or {}
  local lines = { ('%s %s'):format(event.status, event.case) }
  local function add(...)
    lines[#lines + 1] = string.format(...)
  end
  if result.stale then
    add('The transcript is stale: the prompts have changed since it was stored.')
  end
  if result.reason then
    add('%s', result.reason)
  end
  for _, check in ipairs(result.check_details or {}) do
    if check.outcome ~= 'passed' then
      add('%s %s: %s', check.outcome == 'failed' and '✗' or '?', check.id, check.message)
      for _, evidence in ipairs(check.evidence or {}) do
        add('    %d:%d %s', evidence.line, evidence.column, evidence.text)
      end
    end
  end
  if result.prompt then
    add('\n> %s\n', result.prompt:gsub('\n', '\n> '))
  end
  vim.list_extend(lines, result.snapshot_excerpt or {})
  return table.concat(lines, '\n') .. '\n'
end

return M
