/** What has a fact key stays a memory of its own, so that the next value of one fact never takes another with it. */
import { afterEach, describe, expect, it } from "vitest";
import type { ListInput } from "../../src/memory/inputs.ts";
import { reply } from "../scripted-model.ts";
import { ENGINES } from "../temporary-store.ts";
import { embedderOf, found, openScene, type Scene } from "./memory-scene.ts";

describe.each(ENGINES)("facts with keys, on %s", (name) => {
  let scene: Scene;
  afterEach(() => scene.close());

  it("have their key under `factKey`, which is suggested to callers who name it `key`", async () => {
    scene = await openScene(name);
    const given = { text: "The editor is Zed", key: "editor" };
    await expect(scene.engine.memory.store(given)).rejects.toMatchObject({
      code: "invalid-input",
      advice: expect.stringMatching(/^Did you mean factKey\? /),
    });
  });

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

describe.each(ENGINES)("a key that a person gives, on %s", (name) => {
  let scene: Scene;
  afterEach(() => scene.close());

  it("is found by a question that names it, although the memory does not", async () => {
    scene = await openScene(name);
    const { memory } = scene.engine;
    await memory.store({ text: "Neovim with LazyVim", factKey: "editor" });
    await memory.store({ text: "The harbour opens at nine" });
    const { memories } = await memory.recall({ query: "which editor" });
    expect(memories.map((one) => one.memory.abstract)).toEqual(["Neovim with LazyVim"]);
  });

  it("comes before what the user said about the same thing, unless that answers the question better", async () => {
    scene = await openScene(name);
    const { memory } = scene.engine;
    await scene.say("Remember that the editor must not format Rust files on save.");
    await scene.say("I prefer the Kakoune editor for quick notes.");
    await memory.store({ text: "The editor is Zed", factKey: "editor" });
    const bestFor = async (query: string) => (await memory.recall({ query })).memories[0]?.memory.abstract;
    expect((await memory.list()).rows).toHaveLength(3);
    expect(await bestFor("which editor")).toBe("The editor is Zed");
    expect(await bestFor("which editor do I use")).toBe("The editor is Zed");
    expect(await bestFor("what must the editor not do with Rust files on save?")).toContain(
      "must not format",
    );
  });

  it("has one current value, whatever category a sentence suggests", async () => {
    scene = await openScene(name);
    const { memory } = scene.engine;
    await memory.store({ text: "Neovim with LazyVim", factKey: "editor" });
    await memory.store({ text: "My favourite editor is Helix" });
    expect(await scene.known()).toEqual(["My favourite editor is Helix"]);
    await memory.store({ text: "Emacs", factKey: "editor", category: "entities" });
    expect(await scene.known()).toEqual(["Emacs"]);
  });

  it("is found as it was stored and as it is shown, with all its values, after the category has changed", async () => {
    scene = await openScene(name);
    const { memory } = scene.engine;
    await memory.store({ text: "The editor is Helix", factKey: "Editor", category: "entities" });
    await memory.store({ text: "The editor is Zed", factKey: "editor", category: "preferences" });
    await memory.store({ text: "The shell is fish", factKey: "shell", category: "preferences" });
    for (const factKey of ["editor", "Editor", "entities:editor", "preferences:editor"]) {
      expect(await listed({ factKey })).toEqual(["The editor is Zed"]);
      expect(await listed({ factKey, states: ["active", "superseded"] })).toEqual([
        "The editor is Helix",
        "The editor is Zed",
      ]);
      const { facts } = await memory.facts({ factKey });
      expect(facts.map((fact) => fact.memory.abstract)).toEqual(["The editor is Zed"]);
    }
    expect(await listed({ factKey: "preferences:*" })).toEqual(["The editor is Zed", "The shell is fish"]);
    for (const factKey of ["ed*", "preferences:Ed*", "entities:*"])
      expect(await listed({ factKey })).toEqual(["The editor is Zed"]);
    for (const factKey of ["profile:editor", "profile:*", "ditor*", "edit"]) {
      expect(await listed({ factKey })).toEqual([]);
      if (!factKey.endsWith("*")) expect((await memory.facts({ factKey })).facts).toEqual([]);
    }
    await memory.store({ text: "Emacs", factKey: "preferences:editor" });
    expect(await listed({ factKey: "editor" })).toEqual(["Emacs"]);

    async function listed(query: ListInput) {
      return (await memory.list(query)).rows.map(({ abstract }) => abstract).toSorted();
    }
  });

  it("with a category is another key than the same name in another category", async () => {
    scene = await openScene(name);
    const { memory } = scene.engine;
    await memory.store({ text: "Alice", factKey: "profile:name", category: "profile" });
    await memory.store({ text: "Atlas", factKey: "entities:name", category: "entities" });
    const { facts } = await memory.facts({ factKey: "profile:name" });
    expect(facts.map((fact) => fact.memory.abstract)).toEqual(["Alice"]);
    expect((await memory.list({ factKey: "name" })).rows).toHaveLength(2);
  });

  it("is whole, although it has a colon, if its beginning is no category", async () => {
    scene = await openScene(name);
    const { memory } = scene.engine;
    await memory.store({ text: "8080", factKey: "atlas:port" });
    expect((await memory.list({ factKey: "atlas:port" })).rows).toHaveLength(1);
    expect((await memory.facts({ factKey: "atlas:port" })).facts).toHaveLength(1);
    expect((await memory.list({ factKey: "atlas:*" })).rows).toHaveLength(1);
  });

  it("goes with the category that a sentence has", async () => {
    scene = await openScene(name);
    const { memory } = scene.engine;
    for (const text of [
      "Alex prefers Neovim",
      "We use pnpm, never npm",
      "The user's name is Bob",
      "The staging host is db2.internal:5433",
    ])
      await memory.store({ text });
    const categories = (await memory.list()).rows.map(({ abstract, category }) => [abstract, category]);
    expect(Object.fromEntries(categories)).toEqual({
      "Alex prefers Neovim": "preferences",
      "We use pnpm, never npm": "preferences",
      "The user's name is Bob": "profile",
      "The staging host is db2.internal:5433": "entities",
    });
  });
});

describe.each(ENGINES)("what people say of themselves, without a model, on %s", (name) => {
  let scene: Scene;
  afterEach(() => scene.close());

  it("takes the place of what they said before, where there is one such thing at a time", async () => {
    scene = await openScene(name);
    for (const sentence of [
      "I live in Rome.",
      "My name is Alice.",
      "My phone number is 12345",
      "I live in Paris now.",
      "My name is Bob.",
      "My phone number is 67890",
      "Ich wohne jetzt in Hamburg.",
    ]) {
      scene.time.now += 1_000;
      await scene.say(sentence);
    }
    expect(await scene.known()).toEqual([
      "My name is Bob.",
      "My phone number is 67890",
      "Ich wohne jetzt in Hamburg.",
    ]);
    const { facts } = await scene.engine.memory.facts({ factKey: "profile:home" });
    const versions = await scene.engine.memory.history.versions(facts[0]?.memory.id ?? "");
    expect(versions.map(({ abstract }) => abstract)).toEqual([
      "I live in Rome.",
      "I live in Paris now.",
      "Ich wohne jetzt in Hamburg.",
    ]);
  });

  it("stands beside it where it says something else as well, or there may be several", async () => {
    scene = await openScene(name);
    const said = [
      "I live in Rome.",
      "I live with my sister in a small house.",
      "I live in Italy.",
      "I live in Oslo and I am allergic to nuts.",
      "I am a nurse.",
      "I am a teacher.",
    ];
    for (const sentence of said) await scene.say(sentence);
    const known = await scene.known();
    for (const sentence of said.filter((one) => !one.includes("sister"))) expect(known).toContain(sentence);
  });

  it("is taken by its last value where one stretch has two of it, near as they are", async () => {
    scene = await openScene(name, { embedder: embedderOf(() => [1, 0]) });
    await scene.say("My phone number is 12345", "My phone number is 67890");
    expect(await scene.known()).toEqual(["My phone number is 67890"]);
  });
});
