import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { operations, runOperation } from "../../src/operations/index.ts";
import { type AgentModel, startAgentModel } from "./agent-model.ts";
import { CODEX_TOOL, type CodexHome, codexHome, itemsIn, threadIn } from "./codex-session.ts";
import { withEngine } from "./run-host.ts";

const isShort = inject("isShortRun");
const FACT = "The vault code is heron-4471.";

describe("Codex, set up by lcm setup", () => {
  let model: AgentModel;
  let home: CodexHome;
  let thread: string;
  let before: Buffer;
  const configuration = () => path.join(home.folder, ".codex/config.toml");
  beforeAll(async () => {
    model = await startAgentModel();
    home = codexHome(model, 60_000);
    before = readFileSync(configuration());
    home.lcm("setup", "codex", "--yes");
  });
  afterAll(async () => {
    await model?.close();
    if (home === undefined) return;
    stopDaemon();
    rmSync(home.folder, { recursive: true, force: true });
  });

  const stopDaemon = () => home.lcm("daemon", "--stop");

  async function expectOnRecord(id: string): Promise<void> {
    stopDaemon();
    const items = itemsIn(home.rollout(id));
    await withEngine(home.data, async (engine) => {
      const { messages } = await engine.context.read({ conversation: id, limit: 100_000 });
      expect(messages.map(({ value }) => value)).toEqual(items);
      const { problems } = await runOperation(operations.verify, engine, {});
      expect(problems).toEqual([]);
    });
  }

  it("offers the tools in the first request, and captures turns with tools", async () => {
    thread = threadIn(await home.say(`${FACT} Keep it in mind.`));
    expect(model.requests[0]?.text).toContain("lcm_grep");
    const turns = isShort ? 2 : 10;
    for (let turn = 1; turn <= turns; turn++)
      await home.say(
        turn % 2 === 0 ? `CALL:exec_command:{"cmd":"echo turn-${turn}"} go` : `Turn ${turn}, in words.`,
        { thread },
      );
    await expectOnRecord(thread);
  });

  it("gives back what compactions took away, which come before a session starts", async () => {
    const words = "They walked along the river and spoke about the weather. ".repeat(2_000);
    for (let round = 1; round <= 7; round++) await home.say(`Round ${round}. ${words}`, { thread });
    const rollout = readFileSync(home.rollout(thread), "utf8");
    expect(rollout.split('"type":"compacted"').length - 1).toBeGreaterThanOrEqual(2);
    expect(model.requests.filter(({ isSummary }) => isSummary).length).toBeGreaterThanOrEqual(2);
    const [request] = model.requests.slice(-1);
    expect(request?.text).toContain("earlier messages of this session");
    const found = await home.say(`CALL:${CODEX_TOOL}lcm_grep:{"pattern":"vault"} now`, { thread });
    expect(found).toContain("heron-4471");
    await expectOnRecord(thread);
  });

  it("never takes its own text for something that was said", async () => {
    await withEngine(home.data, async (engine) => {
      const { hits } = await engine.context.grep({ pattern: "<palimpsest", mode: "exact", limit: 200 });
      const others = hits.filter(({ tools }) => !tools.some((tool) => tool.includes("lcm_")));
      expect(others.filter(({ role }) => role !== "assistant")).toEqual([]);
      const { messages } = await engine.context.assemble({ conversation: thread, budget: 100_000 });
      expect(JSON.stringify(messages)).not.toContain("<palimpsest about=");
    });
  });

  it.skipIf(isShort)("serves two sessions at once in two projects", async () => {
    const first = await Promise.all(
      ["left", "right"].map(async (name) =>
        threadIn(await home.say(`This is about ${name}-1.`, { project: name })),
      ),
    );
    await Promise.all(
      first.map((one, i) =>
        home.say(`And about number ${i}.`, { thread: one, project: i === 0 ? "left" : "right" }),
      ),
    );
    for (const one of first) await expectOnRecord(one);
  });

  it("gives the configuration back byte for byte", async () => {
    home.lcm("setup", "codex", "--undo", "--yes");
    expect(readFileSync(configuration()).equals(before)).toBe(true);
  });
});
