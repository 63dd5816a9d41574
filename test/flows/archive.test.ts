import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { isArchive, readArchive, writeArchive } from "../../src/store/archive.ts";
import { samplePublish, sampleSummary } from "../../src/store/testing/sample.ts";
import { SAMPLE_RECEIPT } from "../sample-receipt.ts";
import { ENGINES, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

const folder = temporaryFolder();
const pathOf = (name: string) => path.join(folder, name);

describe("moving a whole store", () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open({ store: pathOf("source"), config: { logLevel: "silent" } });
    const image = Uint8Array.of(1, 2, 0, 255);
    const messages = [
      { role: "user", content: "line\u2028separator \u0000 \ud800 日本語" },
      { role: "user", content: [{ type: "image", image }] },
      { role: "assistant", content: "x".repeat(5000) },
    ];
    await engine.context.commitTurn({ conversation: "a", key: "t", messages });
    writeFileSync(
      pathOf("odd.jsonl"),
      Buffer.from('{"role":"user","content":"\xff\xfe"}\n{broken\n', "latin1"),
    );
    await engine.context.conversations.import(pathOf("odd.jsonl"));
    const scope = { tenant: "acme", agent: "bot" };
    await engine
      .contextOf(scope)
      .commitTurn({ conversation: "a", key: "t", messages, receipt: SAMPLE_RECEIPT });
    const { id } = await engine.contextOf(scope).conversations.get("a");
    const [late, early] = [sampleSummary([2, 3]), sampleSummary([1])];
    for (const summary of [late, early, sampleSummary([early.id, late.id])])
      await engine.store.scoped(scope).commit([samplePublish(id, summary)]);
    await engine.context.erase({ conversation: "a", from: 3 });
  });
  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(ENGINES)("gives an identical store on %s, and back", async (name) => {
    const place = await temporaryPlace(name);
    const target = await open({ store: place.store, config: { logLevel: "silent" } });
    const [first, second] = [pathOf(`${name}-1.jsonl.zst`), pathOf(`${name}-2.jsonl`)];
    const written = await writeArchive(engine.store, first);
    await target.store.load(readArchive(first), { replace: false });
    const again = await writeArchive(target.store, second);
    expect(again.sha256).toBe(written.sha256);
    expect(again.messages).toBe(7);
    const rows = readFileSync(second, "utf8");
    expect(rows.match(/"row":"compaction-event"/g)).toHaveLength(3);
    expect(rows).toContain(JSON.stringify(JSON.stringify(SAMPLE_RECEIPT)));
    await target.close();
    await place.dispose();
  });

  it("writes a file that only its owner can read and never over another", async () => {
    const file = pathOf("private.jsonl");
    await writeArchive(engine.store, file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(writeArchive(engine.store, file)).rejects.toThrow(/already exists/);
    expect(await isArchive(file)).toBe(true);
    expect(await isArchive(pathOf("odd.jsonl"))).toBe(false);
  });

  it("notices every change and cut", async () => {
    const file = pathOf("whole.jsonl");
    await writeArchive(engine.store, file);
    const whole = readFileSync(file, "utf8");
    const lines = whole.split("\n").filter((line) => line !== "");
    const damaged = {
      "without the end": `${lines.slice(0, -1).join("\n")}\n`,
      "without a row": `${lines.toSpliced(2, 1).join("\n")}\n`,
      "with another title": whole.replace('"titleIsAutomatic":true', '"titleIsAutomatic":false'),
      "with something behind": `${whole}${lines[1]}\n`,
      "with a newer version": whole.replace('"version":1', '"version":2'),
    };
    const target = await open({ store: pathOf("target"), config: { logLevel: "silent" } });
    for (const [name, content] of Object.entries(damaged)) {
      writeFileSync(pathOf("damaged.jsonl"), content);
      const load = target.store.load(readArchive(pathOf("damaged.jsonl")), { replace: true });
      await expect(load, name).rejects.toMatchObject({ name: "PalimpsestError" });
      expect((await target.store.info()).conversations, name).toBe(0);
    }
    await target.close();
  });
});
