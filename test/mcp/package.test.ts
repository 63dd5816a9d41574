/** The package as it is published: packed, unpacked beside the dependencies that it names, and started with npx. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../cli/lcm.ts";
import { neutral, said } from "../cli/transcripts.ts";
import { callText, createClient } from "./clients.ts";

/** This Node first: the one of the machine may be too old for a published package. */
const PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`;

const { version, dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
  version: string;
  dependencies: object;
};

/** A project that has installed the packed package; nothing but its own dependencies can be found from there. */
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

describe("the packed package", () => {
  let project: string;
  beforeAll(() => {
    project = installPacked();
  });

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
