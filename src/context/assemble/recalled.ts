/** Memories that are given beside a context. */
import { PalimpsestError } from "../../errors.ts";
import type { Receipt } from "../read/receipt.ts";
import type { AssembleInput } from "./assemble.ts";

/** Memories beside a context: framed as data, to be put behind what a provider caches. */
export interface Recalled {
  readonly text: string;
  readonly tokens: number;
  /** Of the memories, in their order. */
  readonly ids: readonly string[];
  /** Until when each of them is thought to hold, where that is known. */
  readonly until: Readonly<Record<string, string>>;
}

export type RecallFor = (input: {
  readonly prompt: string;
  readonly maxTokens: number;
  /** The folder of the session that asks; null when it is unknown. */
  readonly project: string | null;
}) => Promise<Recalled | null>;

/** Of the budget, whatever they may take otherwise. */
export const RECALLED_SHARE = 0.1;

export function requirePrompt({ relevance, prompt }: AssembleInput): void {
  if (relevance !== true || prompt !== undefined) return;
  throw new PalimpsestError("invalid-input", "relevance needs a prompt", {
    advice: "Pass the next question to the model as `prompt`.",
  });
}

export function withRecalled(receipt: Receipt, recalled: Recalled | null): Receipt {
  if (recalled === null) return receipt;
  const { ids, tokens, until } = recalled;
  return { ...receipt, recalled: { ids, tokens, ...(Object.keys(until).length === 0 ? {} : { until }) } };
}
