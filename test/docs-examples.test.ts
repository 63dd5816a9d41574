/**
 * Every TypeScript example in the documentation is compiled against the public surface and run in a folder with a
 * store. What an example takes from its host is in `docs-examples/host.ts`.
 */
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { open } from "../src/index.ts";
import * as host from "./docs-examples/host.ts";

interface Example {
  readonly file: string;
  readonly code: string;
}

const SOURCES: Readonly<Record<string, string>> = {
  "palimpsest/client": "src/http/client.ts",
  "palimpsest/http": "src/http/index.ts",
  palimpsest: "src/index.ts",
  "palimpsest/metrics": "src/metrics/prometheus.ts",
  "palimpsest/traces": "src/metrics/traces.ts",
  "palimpsest/mcp": "src/mcp/index.ts",
  "palimpsest/ai-sdk": "src/ai-sdk/index.ts",
  "palimpsest/host": "src/host/index.ts",
};

const folder = mkdtempSync(path.join(os.tmpdir(), "palimpsest-examples-"));
const examples = ["README.md", ...globSync("docs/**/*.md").toSorted()].flatMap(examplesOf);

function examplesOf(page: string): Example[] {
  const blocks = [...readFileSync(page, "utf8").matchAll(/```ts\n([\s\S]*?)```/g)];
  return blocks.map(({ 1: code = "" }, place) => ({
    file: path.join(folder, `${page.replaceAll(/\W/g, "-")}-${place + 1}.ts`),
    code,
  }));
}

/** Real ids for "sum_…", what the text around the example has, and an end. */
function programOf(code: string, ids: { readonly summary: string; readonly message: string }): string {
  const isDeclared = (name: string) => new RegExp(`const ${name}\\b|const \\{[^}]*\\b${name}\\b`).test(code);
  const isMissing = (name: string) => new RegExp(`\\b${name}\\b`).test(code) && !isDeclared(name);
  const needed = Object.keys(host).filter(isMissing);
  const closed = ["engine", "other", "server"].filter((name) => isDeclared(name) || name === "engine");
  return [
    code.includes('"palimpsest"') ? "" : `import { open, textOfParts } from ${urlOf("src/index.ts")};`,
    `import { ${needed.join(", ")} } from ${urlOf("test/docs-examples/host.ts")};`,
    isDeclared("engine") ? "" : 'const engine = await open({ store: "./memory" });',
    code
      .replaceAll("sum_…", ids.summary)
      .replaceAll(/msg_…_\d+/g, ids.message)
      .replaceAll(/from "(palimpsest[\w/-]*)"/g, (_, name: string) => `from ${urlOf(SOURCES[name] ?? name)}`),
    ...closed.map((name) => (code.includes(`${name}.close()`) ? "" : `await ${name}.close();`)),
    "export {};",
  ].join("\n");
}

function urlOf(file: string): string {
  return JSON.stringify(path.resolve(file));
}

/** A conversation of two turns that were assembled before, and one summary. */
async function writeStore(): Promise<{ summary: string; message: string }> {
  const engine = await open({
    store: path.join(folder, "memory"),
    background: "off",
    config: { freshTailCount: 4 },
  });
  const words = "The port of the receiver is 8443. ".repeat(12);
  for (let turn = 36; turn <= 42; turn++) {
    if (turn > 36) await engine.context.assemble({ conversation: "run-7", budget: 32_000 });
    const messages = [
      { role: "user", content: `Question ${turn}: ${words}` },
      { role: "assistant", content: `Answer ${turn}. ${words}` },
    ];
    await engine.context.commitTurn({ conversation: "run-7", key: `turn-${turn}`, messages });
  }
  await engine.context.compact({ conversation: "run-7", budget: 2_000, untilUnder: 1_000 });
  const { summaries } = await engine.context.conversations.summaries("run-7");
  const { messages } = await engine.context.read({ conversation: "run-7", from: 12, to: 12 });
  await engine.close();
  return { summary: summaries[0]?.id ?? "", message: messages[0]?.id ?? "" };
}

describe("examples in the documentation", () => {
  beforeAll(async () => {
    symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
    const ids = await writeStore();
    for (const { file, code } of examples) writeFileSync(file, programOf(code, ids));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("compile", () => {
    const options = { noUncheckedIndexedAccess: false, noUnusedLocals: false, noUnusedParameters: false };
    const config = path.join(folder, "tsconfig.json");
    const settings = {
      extends: path.resolve("tsconfig.json"),
      compilerOptions: { ...options, typeRoots: [path.resolve("node_modules/@types")] },
      include: [],
      files: examples.map(({ file }) => file),
    };
    writeFileSync(config, JSON.stringify(settings));
    const tsc = path.resolve("node_modules/typescript/bin/tsc");
    expect(outputOf([tsc, "-p", config])).toBe("");
  });

  it("run", () => {
    const files = examples.map(({ file }) => file);
    for (const file of files)
      cpSync(path.join(folder, "memory"), path.join(file.replace(/\.ts$/, ""), "memory"), {
        recursive: true,
      });
    const runner = path.resolve("test/docs-examples/run-examples.ts");
    // An example without a store of its own must not find that of whoever runs the tests.
    const env = { ...process.env, LCM_DATA_DIR: path.join(folder, "memory") };
    execFileSync(process.execPath, [runner, ...files], { stdio: "pipe", env });
  });
});

/** What a program prints, also where it fails. */
function outputOf(args: readonly string[]): string {
  try {
    return execFileSync(process.execPath, args, { encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    return String(Object(error).stdout);
  }
}
