// Packs the plugin for OpenClaw: npm run pack:openclaw [-- <folder>]
//
// The archive contains the packages that are needed at run time and declares no dependencies, so that OpenClaw installs it
// without a registry. npm would leave out such packages, so it is not made by `npm pack`. Needs a built `dist/`.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { TOOL_DEFINITIONS } from "../../plugins/openclaw/tools.ts";
import { openclawManifest } from "./openclaw-manifest.ts";

const ENTRY = "dist/plugins/openclaw/index.js";
/** Part of `dist/`. */
const BUNDLED = ["zod", "jsonrepair", "re2js", "stemmer"];
/** Commands, the MCP server and metrics are not part of the plugin. */
const LEFT_OUT = ["commander", "@modelcontextprotocol/server", "prom-client", ...BUNDLED];

const [target = "."] = process.argv.slice(2);
if (!existsSync(ENTRY)) throw new Error(`${ENTRY} is missing. Build it with: npm run build`);
const { version, license, engines, dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const needed = Object.keys(dependencies).filter((name) => !LEFT_OUT.includes(name));

const parent = mkdtempSync(path.join(os.tmpdir(), "palimpsest-openclaw-"));
const folder = path.join(parent, "package");
try {
  for (const name of ["dist", "LICENSE"])
    cpSync(name, path.join(folder, name), { recursive: true, filter: isNeeded });
  for (const [name, from] of closure(needed)) {
    const to = path.join(folder, "node_modules", name);
    mkdirSync(path.dirname(to), { recursive: true });
    cpSync(from, to, { recursive: true, dereference: true, filter: isNeeded });
  }
  write("openclaw.plugin.json", openclawManifest(version));
  write("openclaw.tools.json", TOOL_DEFINITIONS);
  write("package.json", {
    ...{ name: "palimpsest-openclaw", version, license, type: "module", engines },
    description: "Palimpsest for OpenClaw: lossless context and long-term memory",
    openclaw: { extensions: [`./${ENTRY}`], compat: { pluginApi: ">=2026.9.0" } },
  });
  const file = path.join(path.resolve(target), `palimpsest-openclaw-${version}.tgz`);
  execFileSync("tar", ["czf", file, "-C", parent, "package"]);
  console.log(file);
} finally {
  rmSync(parent, { recursive: true, force: true });
}

function isNeeded(file: string): boolean {
  return !/\.map$|\.d\.[cm]?ts$|\.md$|\/(test|docs|src)$/.test(file);
}

function write(name: string, content: object): void {
  writeFileSync(path.join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
}

/** The packages and their dependencies, by name, with the folder of each. */
function closure(names: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const waiting = names.map((name) => ({ name, from: path.resolve("package.json") }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const at = folderOf(next.name, next.from);
    if (at === null || found.has(next.name)) continue;
    found.set(next.name, at);
    const file = path.join(at, "package.json");
    const { dependencies: own = {}, peerDependencies: peers = {} } = JSON.parse(readFileSync(file, "utf8"));
    for (const name of Object.keys({ ...own, ...peers })) waiting.push({ name, from: file });
  }
  return found;
}

/** Null for a peer that is not installed. */
function folderOf(name: string, from: string): string | null {
  const places = createRequire(from).resolve.paths(name) ?? [];
  return places.map((place) => path.join(place, name)).find((place) => existsSync(place)) ?? null;
}
