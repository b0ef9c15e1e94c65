--- The files that are suites without an eval-ls.toml. Generated: `UPDATE_DOCS=1 cargo test --test generated`.
return {
  include = { '**/*eval-set*.json', '**/*.evals.json', '**/evals/*.json' },
  exclude = { '**/results/**', '**/transcripts/**', '**/node_modules/**', '**/.git/**' },
}
