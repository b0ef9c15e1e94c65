--- Failed checks in the quickfix list: filled after a run, updated as long as the list exists.
local M = {}

local TITLE = 'eval-ls'

---@type { id: integer, uris: string[] }? the list of this plugin
local list

--- Replaces the items of the list. The position in it stays, so that `:cnext` continues.
---@param items table[]
local function replace(items)
  local index = vim.fn.getqflist({ id = list.id, idx = 0 }).idx
  vim.fn.setqflist({}, 'r', { id = list.id, items = items, idx = math.max(math.min(index, #items), 1) })
end

--- Fills the list with the failed checks of these suites.
---@param uris string[]
---@param client_id integer
function M.fill(uris, client_id)
  local option = require('eval-ls.options').get().quickfix
  local client = vim.lsp.get_client_by_id(client_id)
  if not option or not client then
    return
  end
  M.items(client, uris, function(items)
    if M.is_there() then
      replace(items)
      list.uris = uris
      if #items > 0 then
        -- After `:colder`, the current list is another one.
        vim.cmd(('silent %dchistory'):format(vim.fn.getqflist({ id = list.id, nr = 0 }).nr))
      end
    elseif #items > 0 then
      vim.fn.setqflist({}, ' ', { title = TITLE, items = items })
      list = { id = vim.fn.getqflist({ id = 0 }).id, uris = uris }
    end
    if #items > 0 and option == 'open' then
      local window = vim.api.nvim_get_current_win()
      vim.cmd.copen()
      vim.api.nvim_set_current_win(window)
    end
  end)
end

--- Updates the list after verdicts have changed.
---@param uris string[]
---@param client_id integer
function M.refresh(uris, client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  local is_concerned = M.is_there()
    and vim.iter(uris):any(function(uri)
      return vim.list_contains(list.uris, uri)
    end)
  if client and is_concerned then
    M.items(client, list.uris, function(items)
      if M.is_there() then
        replace(items)
      end
    end)
  end
end

--- Whether Neovim still has the list.
---@return boolean
function M.is_there()
  return list ~= nil and vim.fn.getqflist({ id = list.id }).id == list.id
end

--- The items of these suites, in their order.
---@param client vim.lsp.Client
---@param uris string[]
---@param on_items fun(items: table[])
function M.items(client, uris, on_items)
  local by_uri, open = {}, #uris
  local function answered()
    open = open - 1
    if open > 0 then
      return
    end
    local items = {}
    for _, uri in ipairs(uris) do
      vim.list_extend(items, M.items_of(uri, by_uri[uri] or {}, client.offset_encoding))
    end
    on_items(items)
  end
  for _, uri in ipairs(uris) do
    require('eval-ls.client').request(client, 'eval-ls/verdicts', { uri = uri }, function(verdicts)
      by_uri[uri] = verdicts and verdicts.cases
      answered()
    end, answered)
  end
end

---@param uri string
---@param cases eval_ls.CaseVerdict[]
---@param encoding 'utf-8'|'utf-16'|'utf-32'
---@return table[]
function M.items_of(uri, cases, encoding)
  local locations = {}
  for _, case in ipairs(cases) do
    if case.status == 'FAIL' or case.status == 'PARTIAL' then
      for _, failure in ipairs(case.failures) do
        local kind = case.status == 'FAIL' and 'E' or 'W'
        table.insert(
          locations,
          { range = failure.range, text = ('%s: %s'):format(case.id, failure.message), type = kind }
        )
      end
    elseif case.status == 'ERROR' then
      table.insert(
        locations,
        { range = case.range, text = ('%s: %s'):format(case.id, case.reason or 'no verdict'), type = 'E' }
      )
    end
  end
  for _, location in ipairs(locations) do
    location.uri = uri
  end
  return vim.tbl_map(function(item)
    local text, kind = item.user_data.text, item.user_data.type
    return vim.tbl_extend('force', item, { text = vim.trim(text:gsub('%s*\n%s*', ' ')), type = kind })
  end, vim.lsp.util.locations_to_items(locations, encoding))
end

return M
