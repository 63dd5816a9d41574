/** The official MCP Inspector on its command line, against `lcm mcp` on standard input and output. */
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { OPERATIONS } from "../../src/operations/index.ts";
import { temporaryFolder } from "../cli/lcm.ts";
import { importInto } from "../cli/stores.ts";
import { COMMAND } from "./clients.ts";

/** The command itself; the program of the package's name would first look for the web page. */
const INSPECTOR = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector-cli")),
  "index.js",
);
const EXAMPLE = path.resolve("examples/conversation/observatory.jsonl");
const store = path.join(temporaryFolder(), "store");

async function inspect<Answer>(...method: string[]): Promise<Answer> {
  const server = [process.execPath, COMMAND, "--data", store, "mcp"];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [INSPECTOR, ...server, "--method", ...method],
    // It looks for its own package.json from the folder that it is started in.
    { cwd: path.dirname(INSPECTOR), timeout: 60_000 },
  );
  return JSON.parse(stdout) as Answer;
}

describe("the MCP Inspector", () => {
  beforeAll(() => importInto(store, EXAMPLE));

  it("lists every tool with what it takes", async () => {
    const { tools } = await inspect<{ tools: { name: string; inputSchema: object }[] }>("tools/list");
    const expected = OPERATIONS.flatMap(({ tool }) => (tool === undefined ? [] : [tool.name]));
    expect(tools.map(({ name }) => name)).toEqual(expected);
    for (const { inputSchema } of tools) expect(inputSchema).toMatchObject({ type: "object" });
  });

  it("calls a tool, and gets what the model would read", async () => {
    const call = ["tools/call", "--tool-name", "lcm_grep", "--tool-arg", "pattern=dome", "limit=1"];
    const { content } = await inspect<{ content: { type: string; text: string }[] }>(...call);
    expect(content).toEqual([{ type: "text", text: expect.stringMatching(/^1 of \d+ for "dome"/) }]);
    expect(content[0]?.text).toMatch(/^> .*dome/im);
  });

  it("reads the conversations and the prompts", async () => {
    const { resources } = await inspect<{ resources: { uri: string }[] }>("resources/list");
    expect(resources.map(({ uri }) => uri)).toEqual([
      "palimpsest://conversations",
      expect.stringMatching(/^palimpsest:\/\/conversation\/conv_[0-9a-f]{16}$/),
    ]);
    const { prompts } = await inspect<{ prompts: { name: string }[] }>("prompts/list");
    expect(prompts.map(({ name }) => name)).toEqual(["recall", "catch-up"]);
  });
});
