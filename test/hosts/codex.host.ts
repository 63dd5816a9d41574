import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
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
      const { rows } = await engine.memory.list({ limit: 1_000 });
      expect(JSON.stringify(rows)).not.toContain("palimpsest");
    });
  });

  it("has the tools in the first request also where the server starts slowly", async () => {
    const slow = path.join(home.folder, "slow.sh");
    writeFileSync(slow, `#!/bin/sh\nsleep 2\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 });
    const written = readFileSync(configuration(), "utf8");
    writeFileSync(configuration(), written.replace(/^command = .*$/m, `command = "${slow}"`));
    const from = model.requests.length;
    await home.say("Are the tools there?");
    expect(model.requests[from]?.text).toContain("lcm_grep");
    writeFileSync(configuration(), written);
  });

  it.skipIf(isShort)("links a fork and a sub-agent to the session that they come from", async () => {
    const parent = threadIn(await home.say("The orchid is called Ludmilla-17."));
    const fork = threadIn(await home.say("This goes on in a fork.", { thread: parent, isFork: true }));
    const task = JSON.stringify({ message: "Say-something-about-otters" });
    const output = await home.say(`CALL:multi_agent_v1__SLASH__spawn_agent:${task} go`, { thread: parent });
    const agent = /agent_id\W+([0-9a-f-]{36})/.exec(output)?.[1] ?? "";
    await expectOnRecord(parent);
    await expectOnRecord(fork);
    await expectOnRecord(agent);
    await withEngine(home.data, async (engine) => {
      const [from, forked, child] = await Promise.all(
        [parent, fork, agent].map((one) => engine.context.conversations.get(one)),
      );
      expect(forked).toMatchObject({ parent: from?.id, relation: "fork" });
      expect(child).toMatchObject({ parent: from?.id, relation: "child" });
    });
  });

  it.skipIf(isShort)("loses nothing when the host or the daemon is killed", async () => {
    await home.say("Before the kill.");
    model.mood = "hang";
    const asked = model.nextRequest();
    const child = home.start("This prompt is about a pangolin, and never gets an answer.");
    await asked;
    child.kill("SIGKILL");
    await once(child, "close");
    model.mood = "answer";
    const { daemon } = JSON.parse(home.lcm("daemon", "--status", "--json"));
    if (daemon !== null) process.kill(daemon.pid, "SIGKILL");
    await home.say("The next session goes on.");
    stopDaemon();
    await withEngine(home.data, async (engine) => {
      const { hits } = await engine.context.grep({ pattern: "pangolin", roles: ["user"] });
      expect(hits).toHaveLength(1);
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
