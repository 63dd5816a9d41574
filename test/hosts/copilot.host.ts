import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations, runOperation } from "../../src/operations/index.ts";
import { type ChatModel, startChatModel } from "./chat-model.ts";
import { printed, withEngine } from "./run-host.ts";
import { type SetUpHome, setUpHome } from "./set-up-home.ts";

const FACT = "The vault code of depot seven is heron-4471.";

/** Messages of its `events.jsonl`, as Copilot CLI counts them. */
const MESSAGE = /^(user\.message|assistant\.message|system\.message|tool\.execution_complete)$/;

describe("Copilot CLI, set up by lcm setup", () => {
  let model: ChatModel;
  let home: SetUpHome;
  const session = randomUUID();
  beforeAll(async () => {
    model = await startChatModel();
    home = setUpHome("copilot", () => ({
      ...{ COPILOT_OFFLINE: "true", COPILOT_AUTO_UPDATE: "false", COPILOT_MODEL: "scripted" },
      ...{ COPILOT_PROVIDER_BASE_URL: model.url, COPILOT_PROVIDER_API_KEY: "none" },
    }));
    home.lcm("setup", "copilot", "--yes");
    await say(`${FACT} Keep it in mind.`, session);
  });
  afterAll(async () => {
    await model?.close();
    if (home === undefined) return;
    home.lcm("daemon", "--stop");
    rmSync(home.folder, { recursive: true, force: true });
  });

  function say(prompt: string, id: string, isNew = id === session && model.requests.length === 0) {
    const which = isNew ? ["--session-id", id] : ["--resume", id];
    const args = ["-p", prompt, ...which, "--allow-all-tools"];
    return printed(
      spawn(home.program, args, {
        ...{ cwd: home.project("project"), env: home.environment, stdio: ["ignore", "pipe", "pipe"] },
      }),
    );
  }

  const lastRequest = () => JSON.stringify(model.requests.at(-1)?.messages);

  async function expectOnRecord(id: string): Promise<void> {
    home.lcm("daemon", "--stop");
    const file = path.join(home.folder, ".copilot/session-state", id, "events.jsonl");
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    const said = lines.map((line) => JSON.parse(line)).filter(({ type }) => MESSAGE.test(type));
    await withEngine(home.data, async (engine) => {
      const { messages } = await engine.context.read({ conversation: id, limit: 100_000 });
      const keys = new Set(messages.map(({ key }) => key));
      expect(said.filter(({ id: key }) => !keys.has(key))).toEqual([]);
      const { problems } = await runOperation(operations.verify, engine, {});
      expect(problems).toEqual([]);
    });
  }

  it("offers the tools, and captures turns with tools", async () => {
    const names = model.requests[0]?.tools.map((tool) => tool.function.name) ?? [];
    expect(names.some((name) => name.includes("lcm_grep"))).toBe(true);
    await say('CALL:bash:{"command":"echo turn-1","description":"x"} go', session);
    await expectOnRecord(session);
  });

  it("gives a hint in another session", async () => {
    await home.wakeDaemon();
    const other = randomUUID();
    await say("What was the vault code of depot seven?", other, true);
    expect(lastRequest()).toContain("earlier work that may matter for this prompt");
    expect(lastRequest()).toContain("heron-4471");
    await expectOnRecord(other);
  });

  it("gives the digest with the first prompt after a compaction", async () => {
    await home.wakeDaemon();
    await say("/compact", session);
    await say("And now?", session);
    expect(lastRequest()).toContain("earlier messages of this session");
    expect(lastRequest()).toContain("heron-4471");
    await expectOnRecord(session);
  });

  it("never takes its own text for something that was said", async () => {
    await withEngine(home.data, async (engine) => {
      const { hits } = await engine.context.grep({ pattern: "<palimpsest about", mode: "exact" });
      expect(hits).toEqual([]);
      const { messages } = await engine.context.assemble({ conversation: session, budget: 100_000 });
      expect(JSON.stringify(messages)).not.toContain("<palimpsest about=");
    });
  });

  it("leaves nothing of it in the configuration", () => {
    home.lcm("setup", "copilot", "--undo", "--yes");
    for (const file of ["hooks/palimpsest.json", "mcp-config.json"])
      expect(existsSync(path.join(home.folder, ".copilot", file))).toBe(false);
  });
});
