--- Restarts the server after a crash, a limited number of times.
local M = {}

local MOST, WITHIN_MS = 3, 60 * 1000

---@type string? how a server has ended last, if nobody stopped it
M.failure = nil

---@type table<integer, { root: string, buffers: table<integer, true> }> by the client's id
local served = {}

---@type table<string, integer[]> times of the restarts of a workspace's server, in milliseconds
local restarts = {}

--- Remembers the buffers of a server, because Neovim forgets them when it ends.
---@param client vim.lsp.Client
---@param buf integer
function M.remember(client, buf)
  served[client.id] = served[client.id] or { root = client.root_dir or '', buffers = {} }
  served[client.id].buffers[buf] = true
end

---@param code integer
---@param signal integer
---@param client_id integer
function M.on_exit(code, signal, client_id)
  local gone = served[client_id]
  served[client_id] = nil
  -- A client stops a server with `exit`, or with SIGTERM if it does not respond.
  local was_meant = (code == 0 and signal == 0) or signal == 15 or code == 143
  if not was_meant then
    M.failure = signal ~= 0 and ('signal %d'):format(signal) or ('exit code %d'):format(code)
  end
  if was_meant or not gone then
    return
  end
  -- Neovim schedules the removal of the old server before or after this callback; this is scheduled later than both.
  local function later(callback)
    vim.schedule(function()
      vim.schedule(callback)
    end)
  end
  later(function()
    if vim.v.exiting ~= vim.NIL or not require('eval-ls.options').get().restart then
      return
    end
    local now = vim.uv.now()
    local recent = vim.tbl_filter(function(at)
      return now - at < WITHIN_MS
    end, restarts[gone.root] or {})
    if #recent >= MOST then
      require('eval-ls.client').notify(
        'the server crashed too often and will not be restarted; `:edit` starts it again'
      )
      return
    end
    restarts[gone.root] = vim.list_extend(recent, { now })
    for buf in pairs(gone.buffers) do
      if vim.api.nvim_buf_is_loaded(buf) and require('eval-ls.suites').is_served(buf) then
        require('eval-ls.client').start(buf)
      end
    end
  end)
end

return M
