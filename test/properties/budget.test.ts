import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AssembleFormat, type Context, type Engine, estimateTokens, open } from "../../src/index.ts";
import { REPEATED, times } from "../run-length.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

const RUNS = times({ short: 40, long: 3_000 });
const FORMATS: readonly AssembleFormat[] = ["original", "anthropic", "openai-chat", "openai-responses"];
/** Of a message that is not the newest one's: what is longer can be cut to less than this. */
const CUT_TO = 200;
/** For frames of the formats, and for what is to be added to the system prompt. */
const FRAMES = 300;

const words = fc
  .integer({ min: 1, max: 3_000 })
  .map((count) => "some words ".repeat(count).slice(0, count * 4));
const step = fc.oneof(
  // Few rules, so that hosts log the same one again.
  fc.record({
    kind: fc.constant("system" as const),
    text: fc.constantFrom("A. ", "B. ", "C. "),
    size: fc.nat(6_000),
  }),
  fc.record({ kind: fc.constant("repeated" as const), size: fc.constant(4_000) }),
  fc.record({ kind: fc.constantFrom("user" as const, "assistant" as const), text: words }),
  fc.record({
    kind: fc.constant("tools" as const),
    results: fc.array(words, { minLength: 1, maxLength: 4 }),
    open: fc.boolean(),
  }),
);
/** `group`: messages that hang together by their calls. */
interface Said {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string | undefined;
  readonly group?: number;
}

type Step = typeof step extends fc.Arbitrary<infer Of> ? Of : never;

describe.each(ENGINES)("the budget, on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let runs = 0;
  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  it("holds whenever the newest user message and the open calls fit", REPEATED, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 400, max: 9_000 }),
        fc.boolean(),
        async (steps, budget, isCompacted) => {
          const conversation = `run ${++runs}`;
          const messages = steps.flatMap((one, index) => messagesOf(one, index));
          await engine.context.commitTurn({ conversation, key: "t", messages });
          if (isCompacted) await engine.context.compact({ conversation, budget });
          for (const format of FORMATS)
            await expectFits(engine.context, { conversation, budget, format }, messages);
        },
      ),
      { numRuns: RUNS },
    );
  });
});

async function expectFits(
  context: Context,
  input: { readonly conversation: string; readonly budget: number; readonly format: AssembleFormat },
  messages: readonly Said[],
): Promise<void> {
  const answer = await context.assemble(input);
  expect(answer.tokens <= input.budget).toBe(answer.overBudget === null);
  if (leastOf(messages) <= input.budget) expect(answer).toMatchObject({ overBudget: null });
  const systems = answer.items
    .filter(({ role }) => role === "system")
    .map(({ id }) => messages[Number(id.split("_").at(-1)) - 1]?.content);
  expect(new Set(systems).size).toBe(systems.length);
}

/** What must be shown: the newest user message whole, and what hangs together with the last message, cut. */
function leastOf(messages: readonly Said[]): number {
  const sizes = messages.map((message) => estimateTokens(JSON.stringify(message)));
  const user = messages.findLastIndex(({ role }) => role === "user");
  const last = messages.findLastIndex(({ role }) => role !== "system");
  const { group } = messages[last] ?? {};
  return sizes.reduce((sum, size, index) => {
    if (index === user) return sum + size;
    const isLast = index === last || (group !== undefined && messages[index]?.group === group);
    return isLast ? sum + Math.min(size, CUT_TO) : sum;
  }, FRAMES);
}

function messagesOf(one: Step, index: number): Said[] {
  switch (one.kind) {
    case "system":
      return [{ role: "system", content: one.text.repeat(one.size) }];
    case "repeated":
      return [{ role: "system", content: "The same rule as ever. ".repeat(one.size / 20) }];
    case "tools": {
      const ids = one.results.map((_, at) => `call-${index}-${at}`);
      const calls = ids.map((id) => ({
        id,
        type: "function",
        function: { name: "read", arguments: JSON.stringify({ path: id }) },
      }));
      const answered = one.open ? one.results.slice(1) : one.results;
      return [
        { role: "assistant", content: null, tool_calls: calls, group: index },
        ...answered.map((content, at) => ({ role: "tool", tool_call_id: ids[at], content, group: index })),
      ];
    }
    default:
      return [{ role: one.kind, content: one.text }];
  }
}
