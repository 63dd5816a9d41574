/** What happens to the context of one conversation, as random data. */
import fc from "fast-check";
import type { AssembleFormat } from "../../src/index.ts";
import { TURN_SHAPES, type TurnShape } from "./sayings.ts";

export type ContextAction =
  | { readonly do: "say"; readonly shape: TurnShape; readonly times: number }
  | { readonly do: "compact"; readonly budget: number; readonly untilUnder: number | null }
  /** Two engines on the same store at the same time. */
  | { readonly do: "compact twice"; readonly budget: number }
  | { readonly do: "compact and say"; readonly shape: TurnShape }
  | { readonly do: "compact and erase"; readonly at: number }
  | { readonly do: "compact and start anew" }
  /** What the next turn was made from. */
  | { readonly do: "assemble"; readonly budget: number; readonly format: AssembleFormat }
  | { readonly do: "start anew"; readonly retainDepth: number }
  | { readonly do: "erase"; readonly at: number }
  | { readonly do: "open again" };

/** Small enough for three levels to arise from a few turns. */
export interface ContextSettings {
  readonly leafChunkTokens: number;
  readonly freshTailCount: number;
  readonly leafMinFanout: number;
  readonly condensedMinFanout: number;
  readonly leafTargetTokens: number;
  readonly model: "none" | "terse" | "out of reach";
}

const shape = fc.constantFrom(...TURN_SHAPES);
const budget = fc.constantFrom(500, 2_000, 10_000, 128_000);
const format = fc.constantFrom<AssembleFormat>("original", "anthropic", "openai-chat", "openai-responses");
const only = <Name extends string>(name: Name) => fc.constant(name);

export const contextAction: fc.Arbitrary<ContextAction> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({ do: only("say"), shape, times: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: only("compact"),
      budget,
      untilUnder: fc.option(fc.constantFrom(1, 800, 4_000)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: only("compact twice"), budget }) },
  { weight: 1, arbitrary: fc.record({ do: only("compact and say"), shape }) },
  { weight: 1, arbitrary: fc.record({ do: only("compact and erase"), at: fc.nat(60) }) },
  { weight: 1, arbitrary: fc.record({ do: only("compact and start anew") }) },
  { weight: 3, arbitrary: fc.record({ do: only("assemble"), budget, format }) },
  { weight: 1, arbitrary: fc.record({ do: only("start anew"), retainDepth: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: only("erase"), at: fc.nat(60) }) },
  { weight: 1, arbitrary: fc.record({ do: only("open again") }) },
);

export const contextSettings: fc.Arbitrary<ContextSettings> = fc.record({
  leafChunkTokens: fc.constantFrom(200, 600, 2_000),
  freshTailCount: fc.integer({ min: 1, max: 5 }),
  leafMinFanout: fc.constantFrom(2, 3),
  condensedMinFanout: fc.constantFrom(2, 3),
  leafTargetTokens: fc.constantFrom(60, 400),
  model: fc.constantFrom("none", "none", "terse", "out of reach"),
});
