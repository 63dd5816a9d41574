import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations, runOperation } from "../../src/operations/index.ts";
import { temporaryFolder } from "../temporary-store.ts";
import { type ChatModel, startChatModel } from "./chat-model.ts";
import { keyOf, OpenClawHome, packPlugin } from "./openclaw-session.ts";
import { withEngine } from "./run-host.ts";

const FACT = "The vault code is heron-4471.";
const INSTALL_MS = 10 * 60_000;

describe("OpenClaw 2026.9.6", () => {
  const packed = temporaryFolder();
  let model: ChatModel;
  let home: OpenClawHome;
  beforeAll(async () => {
    model = await startChatModel();
    home = new OpenClawHome(model);
    await home.install(packPlugin(packed));
    await home.start();
  }, INSTALL_MS);
  afterAll(async () => {
    await home?.stop();
    await model?.close();
    for (const folder of [packed, home?.folder]) if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** Each message of the host's session is on record exactly once, under the host's own id. */
  async function expectOnRecord(session = "s1"): Promise<void> {
    const entries = home.entries(session);
    await withEngine(home.data, async (engine) => {
      const keys: string[] = [];
      for (const { id } of await engine.context.conversations.family({
        sessionId: session,
        sessionKey: keyOf(session),
      })) {
        const { messages } = await engine.context.read({ conversation: id, limit: 100_000 });
        keys.push(...messages.map(({ key }) => key));
      }
      expect(keys.toSorted()).toEqual(entries.map(({ id }) => id).toSorted());
      const { problems } = await runOperation(operations.verify, engine, {});
      expect(problems).toEqual([]);
    });
  }

  it("captures turns, offers its tools in the first request, and answers through them", async () => {
    await home.say(`${FACT} Keep it in mind.`);
    const names = model.requests[0]?.tools.map((tool) => tool.function.name) ?? [];
    for (const name of ["lcm_grep", "lcm_expand", "memory_search", "memory_get", "memory_store"])
      expect(names).toContain(name);
    expect(await home.say('CALL:lcm_grep:{"pattern":"vault"} now')).toContain("heron-4471");
    await expectOnRecord();
  });
});
