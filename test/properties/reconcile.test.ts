/** Whatever a host shows, one view after the other: the context is the last view, and nothing ever shown is lost. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { open } from "../../src/index.ts";
import { operations, runOperation } from "../../src/operations/index.ts";
import { REPEATED, times } from "../run-length.ts";
import { ENGINES, steadyClock, temporaryPlace } from "../temporary-store.ts";

/** Few different texts, so that messages repeat; some are long enough to be worth a summary. */
const word = fc
  .constantFrom("yes", "no", "The river is long.", "The lake is deep.", "The mountain is high.")
  .map((text) => (text.length > 5 ? `${text} `.repeat(60) : text));
const message = fc.record({ role: fc.constantFrom("user", "assistant"), content: word });

/** A change of the view by a host or a person. */
const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("say" as const),
      messages: fc.array(message, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("back" as const), steps: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("edit" as const), at: fc.nat(9), content: word }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("drop" as const), at: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("again" as const), view: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.constant({ type: "compact" as const }) },
  { weight: 1, arbitrary: fc.constant({ type: "restart" as const }) },
);

interface Shown {
  readonly role: string;
  readonly content: string;
}

describe.each(ENGINES)("views of a host on %s", (name) => {
  it("are what the context shows, and all they ever held is on record", REPEATED, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 20 }), fc.boolean(), async (changes, hasKeys) => {
        const place = await temporaryPlace(name);
        const start = () =>
          open({ store: place.store, clock, background: "off", config: { logLevel: "silent" } });
        const clock = steadyClock();
        let engine = await start();
        let view: (Shown & { id: number })[] = [];
        const views: (typeof view)[] = [];
        const ever = new Set<string>();
        let [ids, hasBegun] = [0, false];
        try {
          for (const one of changes) {
            if (one.type === "restart") {
              await engine.close();
              engine = await start();
              continue;
            }
            if (one.type === "compact") {
              if (hasBegun) await engine.context.compact({ conversation: "s", budget: 300 });
              continue;
            }
            if (one.type === "say") view = [...view, ...one.messages.map((said) => ({ ...said, id: ++ids }))];
            else if (one.type === "back") view = view.slice(0, Math.max(0, view.length - one.steps));
            else if (one.type === "drop") view = view.filter((_, i) => i !== one.at);
            else if (one.type === "again") view = views[one.view] ?? view;
            else view = view.map((old, i) => (i === one.at ? { ...old, content: one.content } : old));
            views.push(view);
            for (const { content, role } of view) ever.add(`${role} ${content}`);
            hasBegun ||= view.length > 0;
            if (!hasBegun) continue;
            await engine.context.reconcile({
              conversation: "s",
              view: view.map(({ id, ...shown }, i) => ({
                message: i % 3 === 0 ? asBlocks(shown) : shown,
                ...(hasKeys ? { key: `m${id}` } : {}),
              })),
            });
            const { messages } = await engine.context.assemble({ conversation: "s", budget: 100_000 });
            const seen = await expanded(engine, messages);
            expect(seen).toEqual(view.map(({ role, content }) => `${role} ${content}`));
          }
          if (hasBegun) {
            const { messages } = await engine.context.read({ conversation: "s", limit: 10_000 });
            const kept = new Set(messages.map(({ value }) => plain(value)));
            for (const said of ever) expect(kept).toContain(said);
            expect((await runOperation(operations.verify, engine, {})).problems).toEqual([]);
          }
        } finally {
          await engine.close();
          await place.dispose();
        }
      }),
      { numRuns: times({ short: name === "sqlite" ? 25 : 8, long: 400 }) },
    );
  });
});

function asBlocks({ role, content }: Shown): object {
  return { content: [{ text: content, type: "text", cache_control: { type: "ephemeral" } }], role };
}

function plain(value: unknown): string {
  const { role, content } = Object(value);
  return `${role} ${Array.isArray(content) ? content[0].text : content}`;
}

/** Summaries as the messages under them. */
async function expanded(
  engine: Awaited<ReturnType<typeof open>>,
  messages: readonly unknown[],
): Promise<string[]> {
  const seen: string[] = [];
  for (const message of messages) {
    const [, id] = /^user <summary id="(sum_\w+)"/.exec(plain(message)) ?? [];
    if (id === undefined) seen.push(plain(message));
    else {
      const { messages: under } = await engine.context.expand({ summary: id, maxTokens: 1_000_000 });
      seen.push(...under.map(({ value }) => plain(value)));
    }
  }
  return seen;
}
