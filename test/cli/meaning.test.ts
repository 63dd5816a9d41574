/** What was said, found by its meaning: as people ask for it, and as agents do. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { open } from "../../src/engine.ts";
import type { GrepOutput } from "../../src/operations/retrieve/grep.ts";
import { COMMAND, callText, connectProgram } from "../mcp/clients.ts";
import { meaningVector } from "../meaning-embedder.ts";
import { startEmbeddings, vectors } from "../scripted-embeddings.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";
import { lcm, lcmJson, temporaryFolder } from "./lcm.ts";

const folder = temporaryFolder();

describe.each(ENGINES)("searching by meaning on %s", (name) => {
  let place: Place;
  let server: Awaited<ReturnType<typeof startEmbeddings>>;
  let there: readonly string[];
  let on: string;
  let off: string;

  beforeAll(async () => {
    place = await temporaryPlace(name);
    server = await startEmbeddings((texts) =>
      vectors(texts.map((text, index) => ({ index, embedding: meaningVector(text) }))),
    );
    const model = { embeddingModel: "openai-compatible/m", embeddingBaseUrl: `${server.url}/v1` };
    const settings = { ...model, timezone: "UTC", autoRecall: false, modelRetries: 0 };
    [on, off] = [path.join(folder, `${name}-on.json`), path.join(folder, `${name}-off.json`)];
    writeFileSync(on, JSON.stringify({ ...settings, searchByMeaning: true }));
    writeFileSync(off, JSON.stringify(settings));
    there = [name === "sqlite" ? "--data" : "--database-url", place.store];
    const config = { tenant: "default", agent: "default", logLevel: "silent" } as const;
    const engine = await open({ store: place.store, background: "off", config });
    await engine.context.commitTurn({
      conversation: "pets",
      key: "1",
      messages: [
        { role: "user", content: "The dog sleeps on the sofa." },
        { role: "assistant", content: "The taxes are due." },
      ],
    });
    await engine.close();
  });
  afterAll(async () => {
    await server.close();
    await place.dispose();
  });

  const run = (config: string, ...words: string[]) => lcm([...there, "--config", config, ...words]);
  const runJson = <Answer>(config: string, ...words: string[]) =>
    lcmJson<Answer>([...there, "--config", config, ...words]);

  it("says what to switch on while it is off", async () => {
    const refused = await run(off, "grep", "--mode", "hybrid", "kennel");
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("lcm config set searchByMeaning true");
    const embed = await run(off, "embed");
    expect(embed.stderr).toContain("lcm config set searchByMeaning true");
    expect((await run(off, "status")).stdout).toContain("searchByMeaning is off");
  });

  it("tells how much has no vectors yet, makes them, and finds by meaning then", async () => {
    const before = await run(on, "grep", "--mode", "hybrid", "sofa");
    expect(before.stdout).toContain("The dog sleeps on the sofa.");
    expect(before.stdout).toMatch(
      /2 messages have no embedding yet and could only be found by words \(lcm .*embed\)/,
    );
    expect((await run(on, "status")).stdout).toMatch(/0 messages have embeddings \(\S+\), 2 pending/);
    const made = await run(on, "embed");
    expect(made.stdout).toMatch(
      /^2 messages processed: 2 now have embeddings \(2 in all, openai-compatible\/m\S*\)\.\n$/,
    );
    expect((await run(on, "embed")).stdout).toMatch(/^No embeddings are missing: 2 messages have/);
    expect(await runJson(on, "embed")).toMatchObject({ looked: 0, embedded: 2, vectors: 2, notEmbedded: 0 });
    const found = await runJson<GrepOutput>(on, "grep", "--mode", "hybrid", "kennel");
    expect(found.hits[0]).toMatchObject({ role: "user", snippet: { text: "The dog sleeps on the sofa." } });
    expect(found.meaning).toMatchObject({ notEmbedded: 0, problem: null });
    expect(await runJson(on, "status")).toMatchObject({
      messageVectors: 2,
      meaning: { embedded: 2, vectors: 2, notEmbedded: 0 },
    });
    const inFiles = await run(on, "grep", "--mode", "hybrid", "--scope", "files", "kennel");
    expect(inFiles.stderr).toContain("semantic search does not cover files");
  });

  it("is created again after a restore, by the command that restore names", async () => {
    const file = path.join(temporaryFolder(), "backup.jsonl");
    await run(on, "backup", "--output", file);
    const restored = await run(on, "restore", file, "--yes");
    expect(restored.stdout).toMatch(
      /^A backup contains no embeddings\. Create them again with: lcm \S.* embed$/m,
    );
    expect((await run(off, "restore", file, "--yes")).stdout).not.toContain("embeddings");
    expect((await run(on, "embed")).stdout).toMatch(/^2 messages processed/);
  });

  it("is offered to agents where it is on, and only there", async () => {
    for (const [config, isOn] of [
      [on, true],
      [off, false],
    ] as const) {
      const { client } = await connectProgram([COMMAND, ...there, "--config", config, "mcp"]);
      const { tools } = await client.listTools();
      const grep = tools.find((tool) => tool.name === "lcm_grep");
      expect(JSON.stringify(grep?.inputSchema.properties?.mode).includes("hybrid")).toBe(isOn);
      expect(grep?.description?.includes("mode hybrid")).toBe(isOn);
      const answer = await callText(client, "lcm_grep", { pattern: "kennel", mode: "hybrid" });
      expect(answer.isError).toBe(!isOn);
      expect(answer.text).toContain(isOn ? "> The dog sleeps on the sofa." : "searchByMeaning");
    }
  });
});
