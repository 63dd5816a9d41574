import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { internalsOf } from "../../src/engine.ts";
import { type Engine, open } from "../../src/index.ts";
import { listMemories } from "../../src/operations/memory/memory-list.ts";
import { recallMemories } from "../../src/operations/memory/memory-recall.ts";
import { temporaryFolder } from "../temporary-store.ts";

/** Facts that were learnt in sessions of two projects, and one without a session. */
describe("memories of a project", () => {
  let engine: Engine;
  const shop = path.resolve("/home/ada/shop");
  const farm = path.resolve("/home/ada/farm");

  beforeEach(async () => {
    engine = await open({
      store: path.join(temporaryFolder(), "data"),
      background: "off",
      config: { embeddingModel: "off", logLevel: "silent" },
    });
    await learn(shop, "The deploy port of the shop is 8417", "events");
    await learn(path.join(shop, "api"), "The deploy port of the shop api is 8418", "events");
    await learn(farm, "The deploy port of the farm is 9000", "events");
    await learn(farm, "Ada prefers short deploy logs", "preferences");
    await engine.memory.store({ text: "Every deploy port is below 10000", category: "events" });
  });
  afterEach(() => engine.close());

  async function learn(project: string, text: string, category: "events" | "preferences"): Promise<void> {
    const turn = await engine.context.commitTurn({
      conversation: { sessionId: project },
      key: text,
      hostContext: { project },
      messages: [{ role: "user", content: text }],
    });
    const source = turn.status === "skipped" ? "" : (turn.messages[0]?.id ?? "");
    await engine.memory.store({ text, category, sources: [source] });
  }

  it("are listed by the folder of the sessions that they came from, and those below it", async () => {
    const texts = async (project: string) =>
      (await listMemories.run(engine, { project }, {})).memories.map(({ abstract }) => abstract).toSorted();
    expect(await texts(shop)).toEqual([
      "The deploy port of the shop api is 8418",
      "The deploy port of the shop is 8417",
    ]);
    expect(await texts(path.join(shop, "api"))).toEqual(["The deploy port of the shop api is 8418"]);
    expect(await texts("/home/ada/sho")).toEqual([]);
  });

  it("are the only ones that are recalled when the project is named", async () => {
    const { memories } = await recallMemories.run(engine, { query: "deploy port", project: farm }, {});
    expect(memories.map(({ memory }) => memory.abstract)).toEqual([
      "The deploy port of the farm is 9000",
      "Ada prefers short deploy logs",
    ]);
  });

  it("stay in their project when nobody asked for them, unless they are about the person", async () => {
    const shown = async (project: string | null, prompt = "Which deploy port?") =>
      (
        await internalsOf(engine).turnMemory.recallFor({
          ...{ prompt, project },
        })
      )?.text ?? "";
    const inShop = await shown(shop);
    expect(inShop).toContain("8417");
    expect(inShop).toContain("8418");
    expect(inShop).toContain("below 10000");
    expect(await shown(shop, "How short are deploy logs?")).toContain("short deploy logs");
    expect(inShop).not.toContain("9000");
    expect(await shown(null)).toContain("9000");
  });
});
