/** What has a fact key stays a memory of its own, so that the next value of one fact never takes another with it. */
import { afterEach, describe, expect, it } from "vitest";
import { reply } from "../scripted-model.ts";
import { ENGINES } from "../temporary-store.ts";
import { embedderOf, found, openScene, type Scene } from "./memory-scene.ts";

describe.each(ENGINES)("facts with keys, on %s", (name) => {
  let scene: Scene;
  afterEach(() => scene.close());

  it("are not swallowed by the profile that a model merges", async () => {
    scene = await openScene(name, {
      answers: {
        read: found({ category: "profile", abstract: "Works as a nurse", quote: "a nurse" }),
        merge: ({ prompt }) => {
          const told = ["nurse", "penicillin", "Alice", "Rome"].filter((word) => prompt.includes(word));
          return reply(JSON.stringify({ abstract: `Profile: ${told.join(", ")}` }));
        },
      },
    });
    const { memory } = scene.engine;
    await memory.store({ text: "Allergic to penicillin", category: "profile" });
    await memory.store({ text: "Name is Alice", category: "profile", factKey: "name" });
    await memory.store({ text: "Home is Rome", category: "profile", factKey: "home" });
    await scene.say("I work as a nurse");
    expect((await scene.known()).toSorted()).toEqual([
      "Home is Rome",
      "Name is Alice",
      "Profile: nurse, penicillin",
    ]);
    await memory.store({ text: "Home is Oslo", category: "profile", factKey: "home" });
    expect((await scene.known()).toSorted()).toEqual([
      "Home is Oslo",
      "Name is Alice",
      "Profile: nurse, penicillin",
    ]);
    const { facts } = await memory.facts({ factKey: "name" });
    expect(facts.map((fact) => fact.memory.abstract)).toEqual(["Name is Alice"]);
  });

  it("stand beside what a judge would merge with them", async () => {
    scene = await openScene(name, {
      embedder: embedderOf((text) => (/port/.test(text) ? [0.8, 0.6] : [1, 0])),
      answers: {
        read: found({ category: "entities", abstract: "Atlas port: 8080", quote: "8080" }),
        judge: reply(JSON.stringify({ decision: "merge", match_index: 1, reason: "Both are of Atlas." })),
        merge: reply(JSON.stringify({ abstract: "Atlas is Dana's and listens on 8080" })),
      },
    });
    const { memory } = scene.engine;
    await memory.store({ text: "Atlas owner: Dana", category: "entities" });
    await scene.say("Atlas listens on 8080");
    expect((await scene.known()).toSorted()).toEqual(["Atlas owner: Dana", "Atlas port: 8080"]);
    const keys = (await memory.list()).rows.map(({ factKey }) => factKey).toSorted();
    expect(keys).toEqual(["entities:atlas owner", "entities:atlas port"]);
  });
});
