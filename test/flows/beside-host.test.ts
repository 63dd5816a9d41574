/** What a host needs of the engine beside its own view: an empty start, its own system prompt, text that nobody said. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, isPalimpsestError, open } from "../../src/index.ts";
import { fence } from "../../src/message/own-text.ts";
import { ENGINES, type Place, steadyClock, temporaryPlace } from "../temporary-store.ts";

describe.each(ENGINES)("beside a host on %s", (name) => {
  let place: Place;
  let engine: Engine;
  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, clock: steadyClock(), config: { logLevel: "silent" } });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  const user = (content: string) => ({ role: "user", content });

  it("an unknown session has an empty view, with what is pending; an unknown id is refused", async () => {
    const view = await engine.context.assemble({ conversation: { sessionId: "new" }, budget: 1_000 });
    expect(view).toMatchObject({ conversation: null, messages: [], tokens: 0, leftOut: 0, overBudget: null });
    const pending = [user("hello")];
    const beside = await engine.context.assemble({ conversation: "also new", budget: 1_000, pending });
    expect(beside.messages).toEqual(pending);
    expect(beside.tokens).toBeGreaterThan(0);
    const unknown = engine.context.assemble({ conversation: "conv_0123456789abcdef" });
    await expect(unknown).rejects.toSatisfy((error) => isPalimpsestError(error, "not-found"));
  });

  it("system messages are left to the host, and pending messages count", async () => {
    const messages = [{ role: "system", content: "Rules." }, user("What is it?")];
    await engine.context.commitTurn({ conversation: "own-system", key: "1", messages });
    const pending = [{ role: "assistant", content: "Let me see. ".repeat(50) }];
    const input = { conversation: "own-system", budget: 2_000, withoutSystem: true };
    const alone = await engine.context.assemble(input);
    expect(alone.messages).toEqual([user("What is it?")]);
    expect(alone.leftOut).toBe(0);
    const beside = await engine.context.assemble({ ...input, pending });
    expect(beside.messages).toEqual([user("What is it?"), ...pending]);
    expect(beside.tokens).toBeGreaterThan(alone.tokens + 100);
    const tight = await engine.context.assemble({ ...input, pending, budget: 100 });
    expect(tight.overBudget).toContain("the smallest possible context has");
    const wire = engine.context.assemble({ ...input, pending, format: "anthropic" });
    await expect(wire).rejects.toThrow("pending messages cannot be shown in the format anthropic");
  });

  it("text that nobody said is on record, and in no context, search or memory", async () => {
    const messages = [
      user("The quokka lives on Rottnest."),
      user(fence("memories", "zebrafish facts from before")),
      { message: { role: "user", content: "Earlier the yak was discussed." }, origin: "host" as const },
      { message: { role: "user", content: "Injected ibex." }, origin: "ours" as const },
      { role: "custom", content: "a private numbat", excludeFromContext: true },
      { role: "assistant", content: "Noted the quokka." },
    ];
    await engine.context.commitTurn({ conversation: "origins", key: "1", messages });
    const { messages: read } = await engine.context.read({ conversation: "origins" });
    const injected = ["injected", "host-summary", "injected", "injected"];
    expect(read.map(({ excluded }) => excluded)).toEqual([null, ...injected, null]);
    const { messages: seen } = await engine.context.assemble({ conversation: "origins" });
    expect(JSON.stringify(seen)).not.toMatch(/zebrafish|yak|ibex|numbat/);
    for (const pattern of ["zebrafish", "yak", "ibex", "numbat"]) {
      expect((await engine.context.grep({ pattern })).hits).toEqual([]);
      expect((await engine.context.grep({ pattern, mode: "exact" })).hits).toEqual([]);
      expect((await engine.context.grep({ pattern: `${pattern}|z{9}`, mode: "regex" })).hits).toEqual([]);
    }
    expect((await engine.context.grep({ pattern: "quokka" })).hits).toHaveLength(2);
    const { entries } = await engine.context.recent({ conversations: ["origins"] });
    expect(entries).toHaveLength(2);
    const refused = engine.context.commitTurn({
      conversation: "origins",
      key: "2",
      messages: [{ message: user("x"), origin: "mine" as never }],
    });
    await expect(refused).rejects.toThrow("origin must be said, left, ours or host, not mine");
  });

  it("an erased message stays erased, although the host goes on showing it", async () => {
    const said = ["The vault code is heron-4471, keep it.", "The second is otter.", "The third is newt."];
    const input = { conversation: "shown", view: said.map((content) => ({ message: user(content) })) };
    await engine.context.reconcile(input);
    await engine.context.erase({ conversation: "shown", from: 1 });
    // A new process knows nothing of the view before.
    const again = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
    expect(await again.context.reconcile(input)).toMatchObject({ shared: 3, appended: 0, left: 0 });
    expect((await again.context.grep({ pattern: "heron" })).hits).toEqual([]);
    const edited = said.map((content, i) => ({ message: user(i === 0 ? "Another first one." : content) }));
    expect(await again.context.reconcile({ ...input, view: edited })).toMatchObject({ appended: 3 });
    const { messages } = await again.context.assemble({ conversation: "shown" });
    expect(messages).toEqual(edited.map(({ message }) => message));
    await again.close();
  });

  it("a view that cannot be kept is refused with the place", async () => {
    let deep: unknown[] = [];
    for (let i = 0; i < 50_000; i++) deep = [deep];
    const view = [{ message: user("fine") }, { message: { role: "assistant", content: [{ deep }] } }];
    const refused = engine.context.reconcile({ conversation: "deep", view });
    await expect(refused).rejects.toThrow(/^view\[1\]\.message\.content.{1,220}… is nested deeper than 1000/);
    const wrong = engine.context.reconcile({ conversation: "deep", view: [user("bare")] as never });
    await expect(wrong).rejects.toThrow("view must be a list of { message }");
  });

  it("messages that a host shows after its own summary are known, also when it shows fewer of them", async () => {
    const shown = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => ({ message: user(`m${from + i}`), key: `${from + i}` }));
    const summary = { message: user("Earlier: m0 and so on."), origin: "host" as const };
    await engine.context.reconcile({ conversation: "summarised", view: shown(0, 10) });
    for (const [from, to] of [
      [6, 11],
      [6, 12],
      [8, 13],
    ] as const) {
      const view = [summary, ...shown(from, to)];
      const { left, appended } = Object(await engine.context.reconcile({ conversation: "summarised", view }));
      expect({ left, appended }).toEqual({ left: 0, appended: to === 11 ? 2 : 1 });
    }
    const { messages } = await engine.context.assemble({ conversation: "summarised" });
    expect(messages).toEqual(shown(0, 13).map(({ message }) => message));
    const view = [summary, ...shown(8, 10), ...shown(20, 21)];
    await engine.context.reconcile({ conversation: "summarised", view });
    const after = await engine.context.assemble({ conversation: "summarised" });
    expect(after.messages).toEqual([...shown(0, 10), ...shown(20, 21)].map(({ message }) => message));
  });

  it("a message that no reader knows refuses the turn, unless it is to be kept", async () => {
    const strange = { role: "assistant", content: [{ type: "tool_use", name: 7 }] };
    const input = { conversation: "strange", key: "1", messages: [user("hi"), strange] };
    await expect(engine.context.commitTurn(input)).rejects.toSatisfy((error) =>
      isPalimpsestError(error, "invalid-input"),
    );
    await engine.context.commitTurn({ ...input, strictness: "keep" });
    const { messages } = await engine.context.read({ conversation: "strange" });
    expect(messages.map(({ value }) => value)).toEqual(input.messages);
  });

  it("summaries are written by the model of the call, also later and in the background", async () => {
    const asked: string[] = [];
    const modelNamed = (name: string) => async () => {
      asked.push(name);
      return {
        text: "They counted the pages of the ledger, page by page, and found nothing else to tell.",
        model: name,
        finish: "stop" as const,
        usage: { inputTokens: 1, outputTokens: 1, cost: null },
      };
    };
    for (let i = 0; i < 30; i++)
      await engine.context.commitTurn({
        conversation: "models",
        key: `${i}`,
        messages: [user(`Count page ${i} of the ledger. ${"They counted the pages of it. ".repeat(60)}`)],
      });
    await engine.context.compact({ conversation: "models", budget: 4_000, complete: modelNamed("given") });
    expect(new Set(asked)).toEqual(new Set(["given"]));
    for (let i = 30; i < 60; i++)
      await engine.context.commitTurn({
        ...{ conversation: "models", key: `${i}`, budget: 4_000, complete: modelNamed("remembered") },
        messages: [user(`Count page ${i} of the ledger. ${"They counted the pages of it. ".repeat(60)}`)],
      });
    await engine.background?.run();
    expect(asked).toContain("remembered");
  });
});
