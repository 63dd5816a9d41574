/** What a host shows, call after call: the same message stays the same one, and the newest view wins. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HostBridge, type HostEntry } from "../../src/host/index.ts";
import { type Engine, open } from "../../src/index.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

interface Said {
  readonly role: string;
  readonly content: unknown;
}

const user = (content: string, key?: string): HostEntry<Said> => ({
  message: { role: "user", content },
  ...(key === undefined ? {} : { key }),
});
const reasoned = (text: string, ...thoughts: string[]): Said => ({
  role: "assistant",
  content: [...thoughts.map((thought) => ({ type: "reasoning", text: thought })), { type: "text", text }],
});

describe.each(ENGINES)("views of a host on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let bridge: HostBridge;
  const session = { sessionId: "host" };
  beforeEach(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
    bridge = new HostBridge({ store: place.store, config: { logLevel: "silent" } });
  });
  afterEach(async () => {
    await bridge.release();
    await engine.close();
    await place.dispose();
  });

  /** Shows it in a process that knows of no view before. */
  async function showAnew(...view: HostEntry<Said>[]): Promise<void> {
    await bridge.release();
    await bridge.reconcile(session, view);
  }
  const present = (view: readonly HostEntry<Said>[]) =>
    bridge.present(session, {
      view,
      budget: 10_000,
      summary: ({ text }): Said => ({ role: "user", content: text }),
    });

  async function record(): Promise<string[]> {
    const { messages } = await engine.context.read({ conversation: "host" });
    return messages.map(({ parts, excluded }) => {
      const words = parts.map((part) => ("text" in part ? part.text : part.type)).join("|");
      return excluded === null ? words : `(${words})`;
    });
  }

  it("a message that gets an id later, or loses it, is the same one", async () => {
    await showAnew(user("yes"), user("no"), user("yes"));
    await showAnew(user("yes", "41"), user("no", "42"), user("yes", "43"));
    await showAnew(user("yes"), user("no", "42"), user("yes", "43"), user("yes", "44"));
    expect(await record()).toEqual(["yes", "no", "yes", "yes"]);
    // An id says which of two equal messages is left out.
    await showAnew(user("no", "42"), user("yes", "44"));
    expect(await record()).toEqual(["(yes)", "no", "(yes)", "yes"]);
    // Another id is another message, although its words are known.
    await showAnew(user("no", "42"), user("yes", "44"), user("fine", "1"));
    await showAnew(user("no", "42"), user("yes", "44"), user("fine", "2"));
    expect(await record()).toEqual(["(yes)", "no", "(yes)", "yes", "(fine)", "fine"]);
  });

  it("an answer without its reasoning is the same one; with other reasoning it is another", async () => {
    await showAnew(user("why?"), { message: reasoned("Because.", "First thought.") });
    await showAnew(user("why?"), { message: reasoned("Because.") });
    expect(await record()).toEqual(["why?", "First thought.|Because."]);
    await showAnew(user("why?"), { message: reasoned("Because.", "Second thought.") });
    expect(await record()).toEqual(["why?", "(First thought.|Because.)", "Second thought.|Because."]);
    const { messages } = await present([user("why?"), { message: reasoned("Because.") }]);
    expect(messages[1]).toEqual(reasoned("Because."));
  });

  it("an erased message stays erased, whichever way the host names it later", async () => {
    const answer = reasoned("The code is heron-4471, keep it.", "A secret.");
    await showAnew(user("tell me"), { message: answer }, user("thanks"));
    await engine.context.erase({ conversation: "host", from: 2, to: 2 });
    for (const entry of [
      { message: answer, key: "given-later" },
      { message: reasoned("The code is heron-4471, keep it.") },
    ]) {
      await showAnew(user("tell me"), entry, user("thanks"));
      expect(await record()).toEqual(["tell me", "()", "thanks"]);
    }
    // The same words under an id that was not erased are another message's.
    await showAnew(user("a", "1"), user("a", "2"));
    const { messages } = await engine.context.read({ conversation: "host" });
    await engine.context.erase({ conversation: "host", from: messages.length - 1, to: messages.length - 1 });
    await showAnew(user("a", "2"));
    expect((await record()).at(-1)).toBe("a");
  });

  it("an answer that comes after the next question is kept, and does not take the question away", async () => {
    const [first, second] = [[user("one")], [user("one"), user("two")]];
    await present(first);
    const [, { messages }] = await Promise.all([
      bridge.answered(session, first, reasoned("Too late.")),
      present(second),
    ]);
    await bridge.answered(session, first, reasoned("Later still."));
    await bridge.answered(session, second, reasoned("Two."));
    expect(messages).toEqual(second.map(({ message }) => message));
    const all = await record();
    expect(all.filter((words) => !words.startsWith("("))).toEqual(["one", "two", "Two."]);
    expect(all).toContain("(Later still.)");
    // What the person saw of it is shown with the next question: then it is part of the conversation.
    const third = [user("one"), { message: reasoned("Later still.") }, user("three")];
    await present(third);
    await bridge.answered(session, second, reasoned("Later still."));
    const now = await record();
    expect(now.filter((words) => !words.startsWith("("))).toEqual(["one", "Later still.", "three"]);
  });

  it("a window that moves on after the host's own summary gives what a new process makes of it", async () => {
    const said = ["yes", "no", "yes", "yes", "fine", "yes", "no", "no", "yes", "done"];
    const summary: HostEntry<Said> = { ...user("Earlier they agreed."), origin: "host" };
    for (const [to, from] of [
      [4, 0],
      [6, 2],
      [7, 3],
      [10, 6],
    ] as const) {
      const view = said.slice(from, to).map((words, i) => user(words, `m${from + i}`));
      await bridge.reconcile(session, [summary, ...view]);
      const { messages } = await engine.context.assemble({ conversation: "host" });
      expect(messages.map((message) => Object(message).content)).toEqual(said.slice(0, to));
    }
    expect((await record()).filter((words) => words !== "(Earlier they agreed.)")).toEqual(said);
    // A message that is edited inside the window leaves it, with what follows.
    await bridge.reconcile(session, [summary, user("no", "m6"), user("maybe", "m7"), user("end", "m10")]);
    const { messages } = await engine.context.assemble({ conversation: "host" });
    const now = [...said.slice(0, 7), "maybe", "end"];
    expect(messages.map((message) => Object(message).content)).toEqual(now);
  });

  it("what another process took off the path is back when it is shown", async () => {
    const view = [user("one"), user("two"), user("three")];
    await bridge.reconcile(session, view);
    await engine.context.reconcile({ conversation: "host", view: view.slice(0, 1) });
    expect(await record()).toEqual(["one", "(two)", "(three)"]);
    await bridge.reconcile(session, [...view, user("four")]);
    expect(await record()).toEqual(["one", "two", "three", "four"]);
  });
});
