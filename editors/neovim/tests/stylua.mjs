// stylua.mjs MODULES [--check]: formats the plugin's Lua, or lists files that are not formatted. The npm package of
// stylua is a library without a program, and this is all of the program that is needed.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [modules, mode] = process.argv.slice(2);
const stylua = createRequire(join(resolve(modules), "x.js"))("@johnnymorganz/stylua");

// A new one each time, because formatting consumes it.
function config() {
  const config = stylua.Config.new();
  config.column_width = 120;
  config.indent_type = stylua.IndentType.Spaces;
  config.indent_width = 2;
  config.quote_style = stylua.QuoteStyle.AutoPreferSingle;
  return config;
}

let unformatted = 0;
for (const name of readdirSync(".", { recursive: true }).filter((name) => name.endsWith(".lua"))) {
  const text = readFileSync(name, "utf8");
  const formatted = stylua.formatCode(text, config(), undefined, stylua.OutputVerification.None);
  if (formatted === text) continue;
  unformatted += 1;
  if (mode === "--check") console.error(`${name} is not formatted; run \`node tests/stylua.mjs ${modules}\``);
  else writeFileSync(name, formatted);
}
process.exitCode = mode === "--check" && unformatted > 0 ? 1 : 0;
