/**
 * Builds what tests start as threads and processes, once for the run, so that not each of them strips the types of
 * some hundred files. Built anew for every run, hence never older than the sources.
 */
import { globSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Plugin, rolldown } from "rolldown";
import type { TestProject } from "vitest/node";
import { builtCode } from "./built-code-options.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const PROGRAMS = [
  "src/**/*worker.ts",
  "src/cli/main.ts",
  "test/**/*-process.ts",
  "test/mcp/sample-program.ts",
];

export default async function setUp(project: TestProject): Promise<void> {
  const folder = path.join(os.tmpdir(), "built");
  await mkdir(folder);
  await build(folder);
  project.onTestsRerun(() => build(folder));
  process.env.BUILT_CODE = pathToFileURL(`${folder}/`).href;
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} ${builtCode().NODE_OPTIONS}`.trim();
}

async function build(folder: string): Promise<void> {
  const programs = globSync(PROGRAMS, { cwd: ROOT });
  const input = Object.fromEntries(programs.map((file) => [file.replace(/\.ts$/, ""), file]));
  const bundle = await rolldown({
    input,
    cwd: ROOT,
    platform: "node",
    external: (id) => !/^[./]/.test(id),
    plugins: [atItsSource],
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].js" });
  await bundle.close();
}

/** Built code knows itself by its source: beside it are the files that it reads and the threads that it starts. */
const atItsSource: Plugin = {
  name: "at-its-source",
  transform: (code, id) =>
    code
      .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
      .replaceAll("import.meta.filename", JSON.stringify(id)),
};
