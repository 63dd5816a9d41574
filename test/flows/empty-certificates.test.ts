/** A certificate says that something was erased: where nothing was, there is none. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { readCertificate } from "../../src/store/rules/certificate.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

const SECRET = "The combination of the old safe in the cellar is four seven one nine, and nobody may know.";

describe.each(ENGINES)("an erasure on %s", (kind) => {
  let place: Place;
  let engine: Engine;
  beforeAll(async () => {
    place = await temporaryPlace(kind);
    const config = { logLevel: "silent", leafChunkTokens: 200, contextThreshold: 0.5 } as const;
    engine = await open({ store: place.store, background: "off", config });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  async function certified(): Promise<(string | null)[]> {
    const { tenant, agent } = engine.config;
    const { rows } = await engine.store.scoped({ tenant, agent }).auditLog({});
    return rows.flatMap((row) => (readCertificate(row) === null ? [] : [row.conversation]));
  }

  it("leaves no certificate for a conversation whose summary only repeats the words", async () => {
    const say = (conversation: string, content: string) =>
      engine.context.commitTurn({ conversation, key: content, messages: [{ role: "user", content }] });
    for (const conversation of ["a", "b"]) await say(conversation, SECRET);
    for (let turn = 0; turn < 12; turn++)
      await say("b", `Note ${turn}: ${"the garden needs water ".repeat(20)}`);
    await engine.context.compact({ conversation: "b", budget: 2_000, untilUnder: 500 });
    const { id } = await engine.context.conversations.get("a");
    const { conversations, copies } = await engine.context.erase({ conversation: "a" });
    expect(copies).toContainEqual(expect.objectContaining({ type: "summary", removed: false }));
    expect(conversations).toEqual([id]);
    expect(await certified()).toEqual([id]);
  });

  it("leaves one certificate for a memory, however often it is erased", async () => {
    const stored = await engine.memory.store({ text: "The spare key is under the third flower pot." });
    const id = "memory" in stored ? (stored.memory?.id ?? "") : "";
    const before = (await certified()).length;
    for (let time = 0; time < 2; time++)
      await engine.memory.forget({ id, erase: true }).catch((error: { code: string }) => error.code);
    expect((await certified()).length).toBe(before + 1);
  });
});
