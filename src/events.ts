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
      /** Messages whose tool results are shown as stubs, and the tokens saved by this. */
      readonly stubbed: number;
      readonly stubTokensSaved: number;
      /** Whether the call waited for a compaction. */
      readonly waited: boolean;
      /** Share of the previous answer that this one starts with; null for the first. */
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

/** Called while work is running: it must be quick, and errors that it throws are ignored. */
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
