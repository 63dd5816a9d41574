/** The events that an engine sends to observers. They contain numbers and names, never conversation text. */
import type { SummaryQuality } from "./types.ts";

export type EngineEvent =
  | {
      readonly type: "summary-created";
      readonly conversation: string;
      readonly kind: "leaf" | "condensed";
      readonly quality: SummaryQuality;
      readonly model: string | null;
      readonly tokensSaved: number;
      readonly milliseconds: number;
    }
  | {
      readonly type: "compaction-ended";
      readonly conversation: string;
      readonly trigger: string;
      /** Why it stopped, or the code of the error that ended it. */
      readonly outcome: string;
      readonly milliseconds: number;
    }
  | {
      readonly type: "assembled";
      readonly conversation: string;
      readonly tokens: number;
      /** Messages whose results of tools are shown as stubs, and the tokens that saves. */
      readonly stubbed: number;
      readonly stubTokensSaved: number;
      /** Whether a compaction had to be waited for. */
      readonly waited: boolean;
      /** Share of the answer before that this one begins with; null for the first. */
      readonly reusedShare: number | null;
      readonly milliseconds: number;
    }
  | { readonly type: "expanded"; readonly conversation: string; readonly milliseconds: number }
  | { readonly type: "searched"; readonly mode: string; readonly milliseconds: number }
  | {
      readonly type: "model-called";
      readonly model: string;
      readonly outcome: string;
      readonly inputTokens: number | null;
      readonly outputTokens: number | null;
      /** In US dollars. */
      readonly cost: number | null;
      readonly milliseconds: number;
    };

/** Called while work goes on: it must be quick, and what it throws is dropped. */
export type Observe = (event: EngineEvent) => void;

export function quietly(observe: Observe | undefined): Observe {
  return (event) => {
    try {
      observe?.(event);
    } catch {
      // An observer must not stop what it observes.
    }
  };
}
