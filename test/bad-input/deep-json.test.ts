/** JSON that is nested deeper than the stack gets an answer on every path. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { exportHtml } from "../../src/operations/store/export-html.ts";
import { lcm, temporaryFolder } from "../cli/lcm.ts";
import { withEngine } from "../cli/stores.ts";

/** How deep `JSON.parse` can go is more than what `JSON.stringify` can write, and that depends on the stack. */
const DEPTHS = [1_500, 3_000, 100_000];

describe.each(DEPTHS)("a call and its result that are nested %i levels deep", (depth) => {
  const folder = temporaryFolder();
  const data = path.join(folder, "data");
  const file = path.join(folder, "deep.jsonl");
  beforeAll(async () => {
    const input = `${'{"a":'.repeat(depth)}"the deepest word"${"}".repeat(depth)}`;
    const output = `${"[".repeat(depth)}"the deepest answer"${"]".repeat(depth)}`;
    writeFileSync(
      file,
      `{"role":"user","content":"go deep"}
{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"deep","input":${input}}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":${output}}]}
{"role":"user","content":"the needle afterwards"}
`,
    );
    expect(await lcm(["--data", data, "import", file])).toMatchObject({ code: 0 });
  });

  it.each([
    ["context", "deep"],
    ["context", "deep", "--json"],
    ["context", "deep", "--budget", "300"],
    ["context", "deep", "--format", "anthropic", "--json"],
    ["context", "deep", "--format", "openai-chat", "--json"],
    ["context", "deep", "--format", "openai-responses", "--json"],
    ["read", "deep"],
    ["read", "deep", "--json"],
    ["grep", "deepest"],
    ["tree", "deep"],
    ["erase", "deep", "--from", "2", "--dry-run"],
    ["transcript", "deep"],
    ["compact", "deep", "--budget", "2000"],
    ["backup", "--verify"],
    ["verify"],
  ])("are answered by lcm %s %s %s %s", async (...words) => {
    const { code, stderr } = await lcm(["--data", data, ...words]);
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("are shown with their words, and are in a page", async () => {
    const { stdout } = await lcm(["--data", data, "context", "deep", "--json"]);
    for (const words of ["the deepest word", "the deepest answer"]) expect(stdout).toContain(words);
    const viewer = path.join(folder, "viewer/");
    mkdirSync(viewer);
    for (const name of ["viewer.js", "viewer.css"]) writeFileSync(path.join(viewer, name), "");
    await withEngine(data, async (engine) => {
      const { id } = await engine.context.conversations.get("deep");
      for (const message of (await engine.context.read({ conversation: id })).messages)
        expect(await engine.context.describe({ id: message.id })).toMatchObject({
          message: { id: message.id },
        });
      const options = { withoutToolResults: false, viewer: pathToFileURL(viewer) };
      const page = await exportHtml(engine, id, { file: path.join(folder, "page.html"), ...options });
      expect(page.messages).toBe(4);
    });
  });
});
