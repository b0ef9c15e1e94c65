// Builds the page into target/playground: run `npm ci && npm run build` in editors/web first.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const site = here("../target/playground");
const engine = here("../editors/web/dist");

/** The folder of each example, its suite, and its name on the page. The first one has the steps. */
const EXAMPLES = [
  ["examples/first", "evals/workshop.evals.json", "A first suite: the bike workshop"],
  ["examples/faulty", "evals/mistakes.evals.json", "A suite with mistakes"],
  ["../examples", "brief-eval-set.v0.3.json", "A morning brief"],
  ["../examples/demo-app", "board-eval-set.v0.1.json", "The demo app: a board with tools"],
  ["../examples/demo-app", "week-eval-set.v0.2.json", "The demo app: the week from three sources"],
];
const EMPTY = { version: "0.2.0", cases: [{ id: "CASE1", prompt: "Which day is it?", expected: { must_say_any: ["Monday"] } }] };
const OWN = { name: "An empty suite", path: "evals/own.evals.json", suite: `${JSON.stringify(EMPTY, null, 2)}\n`, config: "", transcripts: {} };

function example([folder, suite, name]) {
  const read = (path) => readFileSync(here(`${folder}/${path}`), "utf8");
  const stored = join(suite, "..", "transcripts", suite.split("/").at(-1).replace(/\.json$/, ""));
  const files = existsSync(here(`${folder}/${stored}`)) ? readdirSync(here(`${folder}/${stored}`)) : [];
  const transcripts = files.filter((file) => file.endsWith(".json")).map((file) => [`${stored}/${file}`, JSON.parse(read(`${stored}/${file}`))]);
  return { name, path: suite, suite: read(suite), config: read("eval-ls.toml"), transcripts: Object.fromEntries(transcripts) };
}

const examples = {
  name: "examples",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^examples$/ }, () => ({ path: "examples", namespace: "examples" }));
    onLoad({ filter: /.*/, namespace: "examples" }, () => ({ contents: JSON.stringify([...EXAMPLES.map(example), OWN]), loader: "json" }));
  },
};

/** The licenses of the libraries in the page, in its worker and in the analysis. */
function licenses(inputs) {
  const folders = new Set(inputs.map((input) => input.match(/^node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]).filter(Boolean));
  const texts = [...folders, "../editors/web/node_modules/@bjorn3/browser_wasi_shim"].sort().map((folder) => {
    const files = readdirSync(here(folder)).filter((file) => /^licen[cs]e/i.test(file));
    return `${folder.replace(/^.*node_modules\//, "")}\n\n${files.map((file) => readFileSync(here(`${folder}/${file}`), "utf8")).join("\n\n")}`;
  });
  return [...texts, readFileSync(here("../THIRD_PARTY_NOTICES.md"), "utf8")].join("\n\n----\n\n");
}

for (const file of ["worker.js", "eval_ls.wasm"]) {
  if (!existsSync(join(engine, file))) throw new Error(`editors/web/dist/${file} does not exist; run \`npm run build\` in editors/web`);
}
rmSync(site, { recursive: true, force: true });
mkdirSync(site, { recursive: true });
const { metafile } = await build({
  entryPoints: [here("src/main.ts"), here("src/page.css")],
  outdir: site,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
  alias: { "style-mod": here("src/style-mod.ts") },
  plugins: [examples],
});
writeFileSync(join(site, "licenses.txt"), licenses(Object.keys(metafile.inputs)));
const url = process.env.EVAL_LS_REPOSITORY || /^repository = "(.+)"$/m.exec(readFileSync(here("../Cargo.toml"), "utf8"))?.[1];
const page = readFileSync(here("src/index.html"), "utf8").replace("<!-- repository -->", url ? `<a href="${url}">Repository</a>` : "");
writeFileSync(join(site, "index.html"), page);
for (const file of ["worker.js", "eval_ls.wasm"]) copyFileSync(join(engine, file), join(site, file));
