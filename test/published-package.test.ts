import { execFileSync } from "node:child_process";
import { readFileSync, renameSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "./temporary-store.ts";

const dist = path.join(temporaryFolder(), "dist");
const modelFile = (name: string) => path.join(dist, "model/embed/local/minilm", name);

/** Without NODE_OPTIONS, by which tests run the built sources of the checkout. */
function run(...given: readonly string[]): string {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return execFileSync(process.execPath, given, { encoding: "utf8", env, stdio: "pipe" });
}

/** What a recall finds in a new store, and what it says. */
function recall(): { text: string; notes: string[]; model: string } {
  const program = `
    const { open } = await import(${JSON.stringify(pathToFileURL(path.join(dist, "index.js")).href)});
    const config = { logLevel: "silent" };
    const engine = await open({ store: ${JSON.stringify(temporaryFolder())}, background: "off", config });
    await engine.memory.store({ text: "My dog is allergic to chicken" });
    const { memories, notes } = await engine.memory.recall({ query: "the puppy cannot eat poultry" });
    const [{ model } = {}] = (await engine.memory.stats()).vectors;
    await engine.close();
    console.log(JSON.stringify({ text: memories[0]?.memory.abstract, notes, model }));`;
  return JSON.parse(run("--input-type=module", "-e", program));
}

describe("the published package", () => {
  beforeAll(() => {
    run("scripts/build.mjs", dist);
  });

  it("contains what is built", () => {
    const { files } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(files).toContain("dist");
  });

  it("embeds with its own files and nothing that is installed beside it", () => {
    const found = recall();
    expect(found.text).toBe("My dog is allergic to chicken");
    expect(found.notes).toEqual([]);
    expect(found.model).toBe("local/all-MiniLM-L6-v2#q8");
  });

  it("has the licences of the model and of its runtime", () => {
    const licences = readFileSync(modelFile("LICENSES.txt"), "utf8");
    for (const licence of ["Apache License", "MIT License", "Microsoft Corporation"])
      expect(licences).toContain(licence);
  });

  it.each(["model.onnx", "runtime.wasm"])("says so when %s is missing", (name) => {
    renameSync(modelFile(name), modelFile("elsewhere"));
    const { notes } = recall();
    renameSync(modelFile("elsewhere"), modelFile(name));
    expect(notes.join(" ")).toContain(name);
  });
});
