/** The package as it is built, and as it is published: packed, unpacked beside the dependencies that it names, and started with npx. */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "./cli/lcm.ts";
import { neutral, said } from "./cli/transcripts.ts";
import { callText, createClient } from "./mcp/clients.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = path.join(ROOT, "dist");
const {
  version,
  dependencies,
  exports: doors,
} = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as PackageFile;
/** This Node first: the one of the machine may be too old for a published package. */
const PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`;
let folder: string;
let project: string;

interface PackageFile {
  readonly version: string;
  readonly dependencies: object;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
}

/** Without the variables by which tests run code that was built for them. */
function run(args: readonly string[]): string {
  const { BUILT_CODE: _, NODE_OPTIONS: __, ...env } = process.env;
  return execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8", env });
}

function runScript(script: string): unknown {
  return JSON.parse(run(["--input-type=module", "-e", script, folder]));
}

/** Packing builds it. A project that has installed the packed package: nothing but its own dependencies can be found from there. */
function installPacked(): string {
  const project = temporaryFolder();
  const modules = path.join(project, "node_modules");
  mkdirSync(path.join(modules, ".bin"), { recursive: true });
  execFileSync("npm", ["pack", "--ignore-scripts=false", "--pack-destination", project], {
    env: { ...process.env, PATH },
    stdio: "pipe",
  });
  execFileSync("tar", ["-xzf", `palimpsest-${version}.tgz`], { cwd: project });
  execFileSync("mv", ["package", path.join(modules, "palimpsest")], { cwd: project });
  symlinkSync("../palimpsest/bin/lcm.mjs", path.join(modules, ".bin", "palimpsest"));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    symlinkSync(path.resolve("node_modules", name), path.join(modules, name));
  }
  writeFileSync(path.join(project, "package.json"), '{"private":true}');
  return project;
}

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "package-"));
  project = installPacked();
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const modelFile = (name: string) => path.join(DIST, "model/embed/local/minilm", name);

/** By its meaning, in a new store. */
function recallByMeaning(): unknown {
  return runScript(`
    const { open } = await import(${JSON.stringify(pathToFileURL(path.join(DIST, "index.js")).href)});
    const { mkdtempSync } = await import("node:fs");
    const store = mkdtempSync(process.argv[1] + "/meaning-");
    const engine = await open({ store, background: "off", config: { logLevel: "silent" } });
    await engine.memory.store({ text: "My dog is allergic to chicken" });
    const { memories, notes } = await engine.memory.recall({ query: "the puppy cannot eat poultry" });
    await engine.close();
    console.log(JSON.stringify({ found: memories.length, notes: notes.join(" ") }));`);
}

describe("the built package", () => {
  it("has a file and types behind every door", async () => {
    for (const door of Object.values(doors)) {
      if (typeof door === "string") continue;
      expect(readFileSync(path.join(ROOT, door.types), "utf8")).not.toBe("");
      await import(pathToFileURL(path.join(ROOT, door.default)).href);
    }
  });

  it("stores, compacts, searches and remembers, each with its threads and files", () => {
    const answer = runScript(`
      const { open } = await import(${JSON.stringify(pathToFileURL(path.join(DIST, "index.js")).href)});
      const engine = await open({ store: process.argv[1] });
      const text = (n) => "The port of service " + n + " is " + (4000 + n) + ". ";
      for (let n = 0; n < 60; n++)
        await engine.context.commitTurn({ conversation: "s", key: "t" + n,
          messages: [{ role: "user", content: text(n).repeat(60) }] });
      const { id } = await engine.context.conversations.get("s");
      await engine.context.compact({ conversation: id, budget: 8_000 });
      const { summaries } = await engine.context.conversations.summaries(id);
      const { hits } = await engine.context.grep({ pattern: "service 7 is \\\\d+", mode: "regex", kinds: ["message"] });
      const { memory } = await engine.memory.store({ text: "My editor is Helix.", factKey: "editor" });
      const { memories } = await engine.memory.recall({ query: "which editor" });
      await engine.close();
      console.log(JSON.stringify({ summaries: summaries.length > 0, hits: hits.length,
        recalled: memories.some((one) => one.memory.id === memory.id) }));`);
    expect(answer).toEqual({ summaries: true, hits: 1, recalled: true });
  });

  it("is a command", () => {
    const main = pathToFileURL(path.join(DIST, "cli", "main.js")).href;
    const lcm = (...args: readonly string[]) =>
      runScript(`
        const { main } = await import(${JSON.stringify(main)});
        process.exitCode = await main(["--data", process.argv[1], ...${JSON.stringify(args)}]);`);
    expect(lcm("status", "--json")).toMatchObject({ messages: 60 });
    expect(lcm("verify", "--json")).toMatchObject({ problems: [] });
  });

  it("loads a few files, and none of another package, before the first read", () => {
    const loaded = runScript(`
      import module from "node:module";
      const files = [];
      module.registerHooks({ load: (url, context, next) => (files.push(url), next(url, context)) });
      const { open } = await import(${JSON.stringify(pathToFileURL(path.join(DIST, "index.js")).href)});
      const engine = await open({ store: process.argv[1] });
      await engine.context.conversations.list();
      await engine.close();
      console.log(JSON.stringify(files.filter((file) => file.startsWith("file:"))));`) as string[];
    expect(loaded.length).toBeLessThan(25);
    expect(loaded.filter((file) => file.includes("node_modules"))).toEqual([]);
  });

  it("embeds with a model and a runtime of its own, and has their licences", () => {
    expect(recallByMeaning()).toEqual({ found: 1, notes: "" });
    const licences = readFileSync(modelFile("LICENSES.txt"), "utf8");
    for (const words of ["Apache License", "MIT License", "Microsoft Corporation"])
      expect(licences).toContain(words);
  });

  it.each(["model.onnx", "runtime.wasm.zst"])("says which file is missing when %s is", (name) => {
    renameSync(modelFile(name), modelFile("elsewhere"));
    const recalled = recallByMeaning();
    renameSync(modelFile("elsewhere"), modelFile(name));
    expect(recalled).toEqual({ found: 0, notes: expect.stringContaining(name) });
  });
});

describe("the packed package", () => {
  it("serves MCP by npx palimpsest mcp", async () => {
    writeFileSync(path.join(project, "t.jsonl"), neutral("t", [said("user", "a blue teapot", "1")]));
    const env = {
      ...(process.env as Record<string, string>),
      PATH,
      LCM_DATA_DIR: path.join(project, "store"),
    };
    execFileSync("npx", ["--no", "palimpsest", "import", "t.jsonl"], { cwd: project, env, stdio: "pipe" });
    const client = createClient("2025-11-25");
    await client.connect(
      new StdioClientTransport({
        command: "npx",
        args: ["--no", "palimpsest", "mcp"],
        cwd: project,
        env,
        stderr: "pipe",
      }),
    );
    expect(client.getServerVersion()).toMatchObject({ name: "palimpsest", version });
    expect((await callText(client, "lcm_grep", { pattern: "teapot" })).text).toContain("> a blue teapot");
  });

  it("lets a program serve it itself", () => {
    const program = `
      import { open } from "palimpsest";
      import { createServer } from "palimpsest/mcp";
      const engine = await open({ store: "./own", background: "off", config: { logLevel: "silent" } });
      console.log(typeof createServer(engine).connect);
      await engine.close();`;
    writeFileSync(path.join(project, "own.mjs"), program);
    expect(execFileSync(process.execPath, ["own.mjs"], { cwd: project, encoding: "utf8" })).toBe(
      "function\n",
    );
  });
});
