/** What becomes of a fact that is like one which is known, by every verdict that a model can give, and by none. */
import { afterEach, describe, expect, it } from "vitest";
import { type MemoryCategory, stateOf } from "../../src/memory-types.ts";
import { refuse, reply, type Step } from "../scripted-model.ts";
import { ENGINES } from "../temporary-store.ts";
import { embedderOf, found, openScene, type Scene, START } from "./memory-scene.ts";

const AT = new Date(START).toISOString();
/** Near enough to be judged, and not so near that rules take them for the same. */
const NEAR = embedderOf((text) => {
  if (/milk/.test(text)) return [0.8, 0.6, 0];
  return /tea/.test(text) ? [1, 0, 0] : [0, 0, 1];
});
const OLD = "Enjoys green tea";
const NEW = "Takes milk with it";
const MERGED = "Enjoys green tea with milk";

const verdict = (decision: string, more: object = {}) =>
  reply(JSON.stringify({ decision, match_index: 1, reason: "Because.", ...more }));

describe.each(ENGINES)("a fact that is like another one, on %s", (name) => {
  let scene: Scene;
  afterEach(() => scene.close());

  async function tell(
    category: MemoryCategory,
    judge: Step,
    merge: Step = reply(JSON.stringify({ abstract: MERGED })),
    saidAt = AT,
  ) {
    scene = await openScene(name, {
      embedder: NEAR,
      answers: {
        read: ({ prompt }) =>
          prompt.includes("milk")
            ? found({ category, abstract: NEW, quote: "milk in it" })
            : found({ category, abstract: OLD, quote: "green tea" }),
        judge,
        merge,
      },
    });
    await scene.say("I drink green tea");
    await scene.say({ role: "user", content: "I have milk in it", createdAt: saidAt });
    const { memory } = scene.engine;
    const { rows } = await memory.list({ states: ["active", "superseded", "archived"] });
    const { rows: decisions } = await memory.history.decisions({ stages: ["dedup"] });
    const oldOne = rows.find(({ abstract }) => abstract === OLD);
    const newOne = rows.find(({ abstract }) => abstract !== OLD);
    return { oldOne, newOne, states: rows.map(stateOf).toSorted(), decision: decisions[0] };
  }

  const voice = (context: string, confirmations: number, contradictions: number) => ({
    context,
    confirmations,
    contradictions,
    lastObservedAt: AT,
  });

  it("is kept beside it (create)", async () => {
    const { oldOne, newOne, states, decision } = await tell("patterns", verdict("create"));
    expect(states).toEqual(["active", "active"]);
    expect(oldOne?.support).toEqual([]);
    expect(decision).toMatchObject({ verdict: "create", reason: "Because.", memory: newOne?.id });
  });

  it("is on record as what held before it, where it was said before and would replace it", async () => {
    const longAgo = new Date(START - 1_000_000).toISOString();
    const { oldOne, newOne, states, decision } = await tell(
      "preferences",
      verdict("supersede"),
      undefined,
      longAgo,
    );
    expect(states).toEqual(["active", "superseded"]);
    expect(oldOne).toMatchObject({ supersededBy: null, supersedes: [newOne?.id] });
    expect(newOne).toMatchObject({ supersededBy: oldOne?.id, validFrom: longAgo });
    expect(decision).toMatchObject({ verdict: "create", memory: newOne?.id });
    expect(decision?.reason).toContain(`${oldOne?.id} holds since ${AT}`);
  });

  it("becomes one with it (merge)", async () => {
    const { oldOne, states, decision } = await tell("patterns", verdict("merge"));
    expect(states).toEqual(["active", "superseded", "superseded"]);
    const [newOne] = (await scene.engine.memory.list()).rows;
    const [, said] = newOne?.supersedes ?? [];
    expect(oldOne?.supersededBy).toBe(newOne?.id);
    expect(await scene.engine.memory.get(said ?? "")).toMatchObject({ abstract: NEW });
    expect(newOne).toMatchObject({
      abstract: MERGED,
      origin: "merge",
      confidence: 0.8,
      supersedes: [oldOne?.id, said],
      relations: [oldOne?.id, said].map((target) => ({ type: "merged-from", target })),
      support: [voice("general", 1, 0)],
    });
    expect(newOne?.sources.map(({ firstSeq, kind }) => [firstSeq, kind])).toEqual([
      [1, "origin"],
      [2, "origin"],
    ]);
    expect(decision).toMatchObject({ verdict: "merge", memory: newOne?.id });
  });

  it("is dropped, and the record has its words and what it met (skip)", async () => {
    const { oldOne, states, decision } = await tell("patterns", verdict("skip"));
    expect(states).toEqual(["active"]);
    expect(oldOne?.support).toEqual([]);
    expect(decision).toMatchObject({ verdict: "skip", memory: oldOne?.id });
    expect(JSON.parse(decision?.detail ?? "{}")).toMatchObject({ abstract: NEW });
  });

  it("counts for it in its situation (support)", async () => {
    const { oldOne, states, decision } = await tell(
      "events",
      verdict("support", { context_label: "Arbeit" }),
    );
    expect(states).toEqual(["active"]);
    expect(oldOne?.support).toEqual([voice("work", 1, 0)]);
    expect(oldOne?.sources.map(({ firstSeq, kind }) => [firstSeq, kind])).toEqual([
      [1, "origin"],
      [2, "support"],
    ]);
    expect(decision).toMatchObject({ verdict: "support", memory: oldOne?.id });
  });

  it("holds beside it in its situation (contextualize)", async () => {
    const answer = verdict("contextualize", { context_label: "evening" });
    const { oldOne, newOne, states } = await tell("preferences", answer);
    expect(states).toEqual(["active", "active"]);
    expect(oldOne?.support).toEqual([]);
    expect(newOne).toMatchObject({
      factKey: null,
      support: [voice("evening", 1, 0)],
      relations: [{ type: "contextualizes", target: oldOne?.id }],
    });
  });

  it("counts against it in its situation (contradict)", async () => {
    const answer = verdict("contradict", { context_label: "winter" });
    const { oldOne, newOne, states } = await tell("preferences", answer);
    expect(states).toEqual(["active", "active"]);
    expect(oldOne?.support).toEqual([voice("winter", 0, 1)]);
    expect(newOne?.relations).toEqual([{ type: "contradicts", target: oldOne?.id }]);
  });

  it.each([
    ["supersede", "work"],
    ["contradict", "general"],
  ])("takes its place (%s, %s)", async (decision, context_label) => {
    const { oldOne, newOne, states } = await tell("entities", verdict(decision, { context_label }));
    expect(states).toEqual(["active", "superseded"]);
    expect(oldOne).toMatchObject({ supersededBy: newOne?.id, invalidatedAt: AT });
    expect(newOne).toMatchObject({ abstract: NEW, supersedes: [oldOne?.id] });
    const versions = await scene.engine.memory.history.versions(newOne?.id ?? "");
    expect(versions.map(({ abstract }) => abstract)).toEqual([OLD, NEW]);
  });

  it.each<[string, MemoryCategory, Step]>([
    ["events are only added to", "events", verdict("supersede")],
    ["cases are only added to", "cases", verdict("merge")],
    ["patterns are not replaced", "patterns", verdict("supersede")],
    ["it does not say what is replaced", "preferences", verdict("supersede", { match_index: null })],
    ["it names one that it was not shown", "preferences", verdict("supersede", { match_index: 9 })],
    ["the verdict is unknown", "preferences", verdict("annihilate")],
    ["the answer is no JSON", "preferences", reply("Supersede it!")],
    ["the judge fails", "preferences", refuse(500)],
  ])("is kept beside it when %s", async (_, category, judge) => {
    const { states, decision } = await tell(category, judge);
    expect(states).toEqual(["active", "active"]);
    expect(decision).toMatchObject({ verdict: "create" });
  });

  it.each<[string, Step]>([
    ["refuses", refuse(503)],
    ["says nothing", reply("")],
  ])("is kept as it is, and that is said, when whoever merges %s", async (_, merge) => {
    const { states, newOne, decision } = await tell("patterns", verdict("merge"), merge);
    expect(states).toEqual(["active", "active"]);
    expect(newOne).toMatchObject({ abstract: NEW, relations: [] });
    expect(decision).toMatchObject({ verdict: "create", memory: newOne?.id });
    expect(decision?.reason).toContain("could not be merged");
  });
});

describe("several facts of one reading", () => {
  let scene: Scene;
  afterEach(() => scene.close());
  const profile = (abstract: string, quote: string) => ({ category: "profile", abstract, quote });

  it("become one profile, each merged with what the one before it made", async () => {
    scene = await openScene("sqlite", {
      answers: {
        read: ({ prompt }) =>
          prompt.includes("nurse")
            ? found(profile("Ana is a nurse", "a nurse"))
            : found(profile("Ana lives in Oslo", "in Oslo"), profile("Ana is forty", "forty")),
        merge: ({ prompt }) => {
          const told = ["nurse", "Oslo", "forty"].filter((word) => prompt.includes(word));
          return reply(JSON.stringify({ abstract: `Ana: ${told.join(", ")}` }));
        },
      },
    });
    await scene.say("I am a nurse");
    await scene.say("I live in Oslo and I am forty");
    expect(await scene.known()).toEqual(["Ana: nurse, Oslo, forty"]);
    const { rows } = await scene.engine.memory.list();
    expect(
      (await scene.engine.memory.history.versions(rows[0]?.id ?? "")).map(({ abstract }) => abstract),
    ).toEqual([
      "Ana is a nurse",
      "Ana lives in Oslo",
      "Ana: nurse, Oslo",
      "Ana is forty",
      "Ana: nurse, Oslo, forty",
    ]);
  });

  it("count for the same memory one after the other", async () => {
    const judge = verdict("support");
    scene = await openScene("sqlite", {
      embedder: embedderOf((text) =>
        /milk/.test(text) ? [0.8, 0.6, 0] : /lemon/.test(text) ? [0.8, -0.6, 0] : [1, 0, 0],
      ),
      answers: {
        read: ({ prompt }) =>
          prompt.includes("lemon")
            ? found(
                { category: "events", abstract: "Had milk", quote: "milk" },
                { category: "events", abstract: "Had lemon", quote: "lemon" },
              )
            : found({ category: "events", abstract: "Had tea", quote: "tea" }),
        judge,
      },
    });
    await scene.say("I had tea");
    scene.time.now += 1_000;
    await scene.say("First with milk, then with lemon");
    expect(await scene.known()).toEqual(["Had tea"]);
    const { rows } = await scene.engine.memory.list();
    expect(rows[0]?.support).toMatchObject([{ context: "general", confirmations: 2 }]);
  });

  it("are taken once where they say the same, and the record says for which", async () => {
    scene = await openScene("sqlite", {
      embedder: NEAR,
      answers: {
        read: found(
          { category: "events", abstract: "Had tea", quote: "tea" },
          { category: "events", abstract: "Drank tea", quote: "tea" },
        ),
      },
    });
    await scene.say("I had tea");
    expect(await scene.known()).toEqual(["Had tea"]);
    const [kept] = (await scene.engine.memory.list()).rows;
    const { rows } = await scene.engine.memory.history.decisions({ verdicts: ["repeated"] });
    expect(rows).toMatchObject([{ memory: kept?.id }]);
    expect(JSON.parse(rows[0]?.detail ?? "")).toEqual({ abstract: "Drank tea" });
  });

  it("are taken once without vectors too, and of one key the last value holds", async () => {
    scene = await openScene("sqlite", {
      answers: {
        read: found(
          { category: "events", abstract: "Had tea", quote: "tea" },
          { category: "events", abstract: "Had tea.", quote: "tea" },
          { category: "preferences", abstract: "Editor: Vim", quote: "Vim" },
          { category: "preferences", abstract: "Editor: Zed", quote: "Zed" },
        ),
      },
    });
    await scene.say("I had tea, and moved from Vim to Zed");
    expect((await scene.known()).toSorted()).toEqual(["Editor: Zed", "Had tea"]);
  });

  it("stand beside each other where they are two things of one maker", async () => {
    const likes = (item: string) => ({
      category: "preferences",
      abstract: `Likes the ${item} from Burger Hut`,
      quote: item,
    });
    scene = await openScene("sqlite", {
      embedder: embedderOf((text) => (/fries/.test(text) ? [0.8, 0.6] : [1, 0])),
      answers: {
        read: ({ prompt }) => found(likes(prompt.includes("fries") ? "fries" : "burgers")),
        judge: verdict("supersede"),
      },
    });
    await scene.say("Their burgers are great");
    await scene.say("And the fries");
    expect(await scene.known()).toHaveLength(2);
    expect(scene.asked.map(({ kind }) => kind)).not.toContain("judge");
  });
});
