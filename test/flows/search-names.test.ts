/** Words that punctuation joins in a query, such as a method or a path, are looked for as a phrase first. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { ANSWER } from "../scripted-complete.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

const FILLER = "The river was quiet and the boats stayed at the pier all day long. ".repeat(60);

describe.each(ENGINES)("on %s, a name in a query", (name) => {
  let place: Place;
  let engine: Engine;
  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
    const say = (content: string) => ({ role: "user", content });
    const decoys = Array.from({ length: 50 }, (_, i) =>
      say(`AgentSession ${i}: executeBash, executeBash, AgentSession`),
    );
    const messages = [
      say(`${FILLER} It ends in AgentSession.executeBash() somehow. ${FILLER}`),
      say(`${FILLER} The agentsession executebash pair, written apart. ${FILLER}`),
      say(`${FILLER} It keeps copies/moves of everything. ${FILLER}`),
      ...decoys,
      ...decoys.map((_, i) => say(`moves and copies, copies and moves, number ${i}`)),
    ];
    await engine.context.commitTurn({ conversation: "names", key: "1", messages });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  it("puts the text with exactly that name first, then its words one after the other, then the words", async () => {
    const { hits, total } = await engine.context.grep({ pattern: "AgentSession.executeBash" });
    expect(hits.slice(0, 2).map(({ seq }) => seq)).toEqual([1, 2]);
    expect(hits[0]?.snippet.text).toContain("AgentSession.executeBash()");
    expect(total).toBe(52);
    const path = await engine.context.grep({ pattern: "what about copies/moves?", limit: 1 });
    expect(path.hits.map(({ seq }) => seq)).toEqual([3]);
  });

  it("is found once on every page, and everything else as without it", async () => {
    const seqs: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await engine.context.grep({
        pattern: "AgentSession.executeBash",
        limit: 7,
        ...(cursor === undefined ? {} : { cursor }),
      });
      seqs.push(...page.hits.map(({ seq }) => seq));
      cursor = page.next;
    }
    expect(seqs).toHaveLength(52);
    expect(new Set(seqs).size).toBe(52);
  });

  it("finds the message with the name before a summary that lists it", async () => {
    const conversation = "summarised";
    const long = (content: string) => ({ role: "user", content: `${FILLER} ${content} ${FILLER}` });
    const messages = [long("It calls Harbour.openGate() here."), ...Array(8).fill(long("Nothing new."))];
    await engine.context.commitTurn({ conversation, key: "1", messages });
    const complete = async () => ({
      ...ANSWER,
      text: "They open it.\nAlso: Harbour.openGate; Harbour; openGate",
    });
    await engine.context.compact({ conversation, budget: 9_000, untilUnder: 8_000, complete });
    const { hits } = await engine.context.grep({ pattern: "Harbour.openGate" });
    expect(hits.map(({ kind }) => kind)).toEqual(["message", "summary"]);
  });

  it("does not decide about a match: words that are apart still match", async () => {
    const { hits } = await engine.context.grep({ pattern: "executeBash/moves", limit: 200 });
    expect(hits).toHaveLength(103);
  });
});
