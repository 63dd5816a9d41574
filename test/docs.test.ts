import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import {
  COMMANDS_PAGE,
  CONFIGURATION_PAGE,
  commandsPage,
  configurationPage,
  TOOLS_PAGE,
  toolsPage,
} from "../scripts/generate-reference.ts";
import { configSchema } from "../src/config/schema.ts";
import { accessibleScopes } from "../src/memory/scopes.ts";

const pages = [
  "README.md",
  "AGENTS.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  ...globSync("docs/**/*.md"),
  "bench/README.md",
];
const scripts = Object.keys(
  (JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object }).scripts,
);

describe("documentation", () => {
  it("has a configuration page that is what the schema says", () => {
    expect(readFileSync(CONFIGURATION_PAGE, "utf8")).toBe(configurationPage());
  });

  it("has a page of tools that is what the operations say", () => {
    expect(readFileSync(TOOLS_PAGE, "utf8")).toBe(toolsPage());
  });

  it("has every tool in the table of the MCP page", () => {
    const tools = [...toolsPage().matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    const table = [...readFileSync("docs/guide/mcp.md", "utf8").matchAll(/^\| `((?:lcm|memory)_\w+)` \|/gm)];
    expect(tools).not.toEqual([]);
    expect(table.map(([, name]) => name).sort()).toEqual(tools.sort());
  });

  it("has a page of commands that is what the operations say", () => {
    expect(readFileSync(COMMANDS_PAGE, "utf8")).toBe(commandsPage());
  });

  it.each(pages)("%s links only to files that exist", (page) => {
    const links = [...readFileSync(page, "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
      (match) => match[1] ?? "",
    );
    const broken = links.filter((link) => !existsSync(path.join(path.dirname(page), link)));
    expect(broken).toEqual([]);
  });

  it.each(pages)("%s links only to headings that exist", (page) => {
    const links = [...readFileSync(page, "utf8").matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)];
    const broken = links.filter(([, file = "", heading = ""]) => {
      const target = file === "" ? page : path.join(path.dirname(page), file);
      return !anchorsOf(readFileSync(target, "utf8")).includes(heading);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it.each(pages)("%s names only npm scripts that exist", (page) => {
    const named = [...readFileSync(page, "utf8").matchAll(/npm run ([\w:-]+)/g)].map(
      (match) => match[1] ?? "",
    );
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });

  it("opens every scope that the import examples of the memory page write to", () => {
    const page = readFileSync("docs/guide/memory.md", "utf8");
    const given = /LCM_MEMORY_ACCESS='([^']+)'/.exec(page)?.[1] ?? "{}";
    const { agent, memoryAccess } = configSchema.parse({ memoryAccess: JSON.parse(given) });
    const named = [...page.matchAll(/^lcm memory import .*?--scope (\S+)/gm)].map((match) => match[1]);
    expect(named).not.toEqual([]);
    const { scopes } = accessibleScopes(agent, { agentAccess: memoryAccess });
    expect(scopes).toEqual(expect.arrayContaining(["global", `agent:${agent}`, ...named]));
  });

  it("has an example in the library page that runs as it stands", () => {
    const block = /## A complete example[\s\S]*?```ts\n([\s\S]*?)```/.exec(
      readFileSync("docs/guide/library.md", "utf8"),
    )?.[1];
    const folder = mkdtempSync(path.join(os.tmpdir(), "palimpsest-docs-"));
    try {
      const file = path.join(folder, "example.ts");
      const surface = pathToFileURL(path.resolve("src/index.ts")).href;
      writeFileSync(file, (block ?? "").replace('"palimpsest"', JSON.stringify(surface)));
      const output = execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8" });
      expect(output).toMatch(/^leaf 0 \d+ → \d+$/m);
      expect(output).toContain("before turn 3 the model saw 4 messages; exact: true");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("explains the system in a path of at most 1,000 lines", () => {
    const [, path = ""] = /\*\*Reading order\*\*(.*?)\. Then/s.exec(readFileSync("AGENTS.md", "utf8")) ?? [];
    const files = [...path.matchAll(/[\w/-]+\.(?:md|ts)(?=[`)])/g)].map(([file]) => file);
    expect(files.length).toBeGreaterThan(4);
    const lines = files.map((file) => readFileSync(file, "utf8").split("\n").length);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(1_000);
  });

  it("shows a README of one screen", () => {
    expect(readFileSync("README.md", "utf8").split("\n").length).toBeLessThanOrEqual(70);
  });

  it("calls the README's test command in CI", () => {
    const command = "npm ci && npm test";
    expect(readFileSync("README.md", "utf8")).toContain(command);
    expect(readFileSync(".ci/run", "utf8").split("\n")).toContain(command);
  });
});

/** The names under which GitHub links to the headings of a page. */
function anchorsOf(page: string): string[] {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(({ 1: heading = "" }) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
