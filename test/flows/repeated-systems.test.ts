/** A host that logs a system message with each turn: it is shown once, and the room is for what was said. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

const TURNS = 40;
/** Of a short turn: both messages with what each costs beside its words. */
const TURN_TOKENS = 40;

describe.each(ENGINES)("a system message with each of many short turns on %s", (kind) => {
  let place: Place;
  let engine: Engine;

  beforeAll(async () => {
    place = await temporaryPlace(kind);
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  async function talk(conversation: string, systemOf: (turn: number) => string) {
    for (let turn = 0; turn < TURNS; turn++)
      await engine.context.commitTurn({
        conversation,
        key: `turn ${turn}`,
        messages: [
          { role: "system", content: systemOf(turn) },
          { role: "user", content: `What is ${turn} + ${turn}?` },
          { role: "assistant", content: `It is ${2 * turn}.` },
        ],
      });
  }

  it.each([
    ["the same", 150, () => ""],
    ["the same large", 1_500, () => ""],
    ["a new", 150, (turn: number) => `It is minute ${turn}. `],
    ["a new large", 600, (turn: number) => `It is minute ${turn}. `],
    ["one of two", 300, (turn: number) => `Mode ${turn % 2}. `],
  ])("leaves most of the rest to them: %s, of %i tokens", async (conversation, tokens, head) => {
    await talk(conversation, (turn) => head(turn) + "Follow the rule. ".repeat(tokens / 4));
    for (const budget of [500, 1_000, 2_000, 4_000]) {
      const { items, tokens: sent, overBudget } = await engine.context.assemble({ conversation, budget });
      const shown = items.filter(({ role }) => role !== "system");
      expect(overBudget).toBeNull();
      expect(sent).toBeLessThanOrEqual(budget);
      expect(items.length).toBeGreaterThan(shown.length);
      // A message of up to the budget is not cut, and then has more than its share.
      const room = tokens > budget / 2 && tokens < budget ? budget - tokens * 1.15 : budget / 2;
      expect(shown.length).toBeGreaterThanOrEqual(Math.min(2 * TURNS, (2 * room * 0.6) / TURN_TOKENS));
    }
  });
});
