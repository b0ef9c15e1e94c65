// Builds dist/: the modules with their types, and the analysis that `scripts/build-wasm` has built.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const wasm = here("../../target/web/eval_ls.wasm");
if (!existsSync(wasm)) throw new Error("run scripts/build-wasm first");
rmSync(here("dist"), { recursive: true, force: true });
const shared = { bundle: true, format: "esm", target: "es2022", minify: true, legalComments: "none", logLevel: "warning" };
await build({ ...shared, entryPoints: ["index", "engine"].map((name) => here(`src/${name}.ts`)), outdir: here("dist") });
// A worker of an old form runs everywhere.
await build({ ...shared, format: "iife", entryPoints: [here("src/worker.ts")], outdir: here("dist") });
execFileSync("npx", ["tsc"], { cwd: here("."), stdio: "inherit" });
copyFileSync(wasm, here("dist/eval_ls.wasm"));
for (const file of ["LICENSE", "THIRD_PARTY_NOTICES.md"]) copyFileSync(here(`../../${file}`), here(`dist/${file}`));
