std = 'luajit'
-- Tests put functions of their own in the place of these.
read_globals = { vim = { other_fields = true, fields = {
  b = { read_only = false, other_fields = true },
  bo = { read_only = false, other_fields = true },
  g = { read_only = false, other_fields = true },
  w = { read_only = false, other_fields = true },
  wo = { read_only = false, other_fields = true },
  o = { read_only = false, other_fields = true },
  env = { read_only = false, other_fields = true },
  api = { other_fields = true, fields = { nvim_echo = { read_only = false } } },
  lsp = { other_fields = true },
  ui = { read_only = false, other_fields = true },
  notify = { read_only = false },
} } }
-- stylua breaks lines; texts it leaves alone.
max_line_length = false
-- Callbacks are handed more than they need.
unused_args = false
