import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GrepInput } from "../../src/context/retrieve/grep-messages.ts";
import { type Engine, open } from "../../src/index.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

const SQL = "'; DROP TABLE messages; --";

describe.each(ENGINES)("hostile searches on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let other: Engine;

  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, background: "off" });
    other = await open({ store: place.store, background: "off", config: { tenant: "other" } });
    const say = (on: Engine, contents: readonly string[]) =>
      on.context.commitTurn({
        conversation: "c",
        key: "t",
        messages: contents.map((content) => ({ role: "user", content })),
      });
    await say(engine, ["a".repeat(100_000), `plain words AND "quotes" NEAR(x) ${SQL} 100%_`, "third"]);
    await say(other, ["the plain secret of another tenant"]);
    await engine.context.index.build();
    await other.context.index.build();
  });
  afterAll(async () => {
    await other.close();
    await engine.close();
    await place.dispose();
  });

  const seqs = async (input: GrepInput) => (await engine.context.grep(input)).hits.map(({ seq }) => seq);
  const refused = { code: "invalid-input", advice: expect.any(String) };

  it.each([
    ["(a+)+$", [1]],
    ["(a|a)*b", []],
    ["(a|aa)+$", [1]],
    ["(.*)*c{3}", []],
    ["(?:a?){50}a{50}", [1]],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", []],
  ])("takes %s, which ruins engines that backtrack", async (pattern, expected) => {
    expect(await seqs({ pattern, mode: "regex" })).toEqual(expected);
  });

  it.each([
    ["unclosed", "(abc"],
    ["a repetition of a repetition", "(x{1000}){1000}"],
    ["a look-ahead", "a(?=b)"],
    ["a reference back", "(a)\\1"],
    ["too many letters", "a".repeat(10_001)],
  ])("refuses a pattern that is %s, with the reason", async (_, pattern) => {
    await expect(engine.context.grep({ pattern, mode: "regex" })).rejects.toMatchObject(refused);
  });

  it("takes patterns and questions of ten thousand characters", async () => {
    expect(await seqs({ pattern: "a".repeat(10_000), mode: "exact" })).toEqual([1]);
    expect(await seqs({ pattern: `(${"a|".repeat(4_000)}third)$`, mode: "regex" })).toEqual([3, 1]);
    expect(await seqs({ pattern: `${"(".repeat(900)}third${")".repeat(900)}`, mode: "regex" })).toEqual([3]);
    expect(await seqs({ pattern: `third ${"zz ".repeat(3_000)}` })).toEqual([3]);
  });

  it.each([
    "plain AND NOT",
    "NEAR(plain)",
    '"plain',
    'plain"',
    "plain^2",
    "text:plain",
    "-plain",
    "plain*",
    "{plain}",
  ])("reads %s as words, whatever a search engine makes of it", async (pattern) => {
    expect(await seqs({ pattern })).toContain(2);
  });

  it("finds SQL as the text it is, and runs none of it", async () => {
    expect(await seqs({ pattern: SQL, mode: "exact" })).toEqual([2]);
    expect(await seqs({ pattern: "100%_", mode: "exact" })).toEqual([2]);
    expect(await seqs({ pattern: "plain", tool: SQL })).toEqual([]);
    await expect(engine.context.grep({ pattern: "plain", conversations: [SQL] })).rejects.toMatchObject({
      code: "not-found",
    });
    for (const input of [
      { since: SQL },
      { cursor: SQL },
      { sort: SQL },
      { mode: SQL },
      { roles: [SQL] },
      { limit: SQL },
    ])
      await expect(
        engine.context.grep({ pattern: "plain", ...input } as unknown as GrepInput),
      ).rejects.toMatchObject({ code: "invalid-input" });
    expect(await seqs({ pattern: "plain" })).toEqual([2]);
  });

  it("sees nothing of another tenant, by words, by patterns or by its conversation's id (promise: scoped)", async () => {
    const { id } = await other.context.conversations.get("c");
    expect(await seqs({ pattern: "secret" })).toEqual([]);
    expect(await seqs({ pattern: "plain secret", mode: "exact" })).toEqual([]);
    expect(await seqs({ pattern: "plain", sort: "time" })).toEqual([2]);
    await expect(engine.context.grep({ pattern: "plain", conversations: [id] })).rejects.toMatchObject({
      code: "not-found",
    });
    const { next } = await other.context.grep({ pattern: ".", mode: "regex", limit: 1 });
    expect(next).toBeNull();
  });

  it("refuses a pattern where words are asked for, and says what to do", async () => {
    for (const pattern of ["foo.*bar", "\\bword\\b", "[abc]+", "a|b", "^start", "(?i)x"])
      await expect(engine.context.grep({ pattern })).rejects.toMatchObject({
        code: "invalid-input",
        advice: expect.stringContaining("regex"),
      });
    await expect(engine.context.grep({ pattern: "?!" })).rejects.toMatchObject(refused);
  });
});
