// Builds dist/: declarations by the compiler, JavaScript bundled into few files because each one slows down the start,
// and the files that are read at run time.
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { rolldown } from "rolldown";
import { build } from "vite";
import { writeLocalModel } from "./local-model/make-local-model.ts";

const ROOT = `${process.cwd()}/`;
const MODEL = "dist/model/embed/local/minilm";
/** Needed by every start. All other packages are loaded on demand from node_modules. */
const BUNDLED = ["zod", "jsonrepair", "re2js", "stemmer"];
/** In the page. */
const SHOWN = ["react", "react-dom", "scheduler", "@tanstack/react-query", "@tanstack/react-virtual"];

const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
const doors = Object.values(exports).flatMap((entry) => entry.default ?? []);
const programs = [...doors, "./dist/cli/main.js"]
  .map((file) => file.replace("./dist/", "src/").replace(/js$/, "ts"))
  .concat(globSync("plugins/*/index.ts"));

rmSync("dist", { recursive: true, force: true });
execFileSync("node_modules/.bin/tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
// Modules that are always loaded together form one file: each group includes its imports.
const together = [
  { name: "command", test: /src\/cli\/main\.ts$/, priority: 2 },
  { name: "engine", test: /src\/(engine|store\/sqlite\/index)\.ts$/, priority: 1 },
];
await write(programs, { codeSplitting: { groups: together } });
// A thread loads its own modules, so it gets one file with its static imports, and others for dynamic ones.
// So does the client of hooks, which hosts wait for at every event.
for (const thread of [...globSync("src/**/*worker.ts"), "src/hooks/daemon/client.ts"]) await write([thread]);
for (const file of globSync("src/**/*.sql")) cpSync(file, file.replace(/^src/, "dist"));
mkdirSync(MODEL, { recursive: true });
await writeLocalModel(MODEL);
for (const name of ["vite", "vite.viewer"])
  await build({ configFile: `web/${name}.config.ts`, logLevel: "error" });
writeFileSync("dist/LICENSES-OF-BUNDLED-PACKAGES.txt", [...BUNDLED, ...SHOWN].map(licenceOf).join("\n\n"));
console.log("built dist/");

function licenceOf(name) {
  const [file] = globSync(`node_modules/${name}/{LICENSE,LICENCE,license}*`);
  if (file === undefined) throw new Error(`${name} has no licence file`);
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  return `${name} ${version}\n\n${readFileSync(file, "utf8").trim()}`;
}

async function write(files, options) {
  const bundle = await rolldown({
    input: Object.fromEntries(files.map((file) => [nameOf(file), file])),
    platform: "node",
    external: (id) => !/^[./]/.test(id) && !BUNDLED.includes(id),
    plugins: [{ name: "at-their-place", transform: knowTheirPlace, renderChunk: findDist }],
  });
  const names = { entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" };
  await bundle.write({ dir: "dist", format: "esm", comments: false, ...names, ...options });
  await bundle.close();
}

function nameOf(file) {
  return file.replace(/^src\//, "").replace(/\.ts$/, "");
}

/** Modules locate threads and files relative to their source path, also after bundling. */
function knowTheirPlace(code, id) {
  if (!id.startsWith(`${ROOT}src/`)) return null;
  const file = `${nameOf(id.slice(ROOT.length))}.js`;
  return code.replaceAll("import.meta.url", `new URL(${JSON.stringify(file)}, DIST_FOLDER).href`);
}

function findDist(code, { fileName }) {
  const up = "../".repeat(fileName.split("/").length - 1) || "./";
  return code.replaceAll("DIST_FOLDER", `new URL(${JSON.stringify(up)}, import.meta.url)`);
}
