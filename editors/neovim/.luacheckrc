std = 'luajit'
-- Tests replace these functions.
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
-- stylua wraps code but not texts.
max_line_length = false
-- Callbacks may ignore parameters.
unused_args = false
