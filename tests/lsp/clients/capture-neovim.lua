-- Starts a server that only records the capabilities in `initialize`, and prints them.
local captured
vim.lsp.start({
  name = 'capture',
  cmd = function(dispatchers)
    return {
      request = function(method, params, callback)
        if method == 'initialize' then
          captured = params.capabilities
          callback(nil, { capabilities = {} })
        end
        return true, 1
      end,
      notify = function()
        return true
      end,
      is_closing = function()
        return captured ~= nil
      end,
      terminate = function()
        dispatchers.on_exit(0, 0)
      end,
    }
  end,
})
assert(vim.wait(10000, function()
  return captured
end))
io.stdout:write(vim.json.encode(captured))
