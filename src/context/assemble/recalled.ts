/** Memories that are added to a context. */
import { PalimpsestError } from "../../errors.ts";
import type { Receipt } from "../read/receipt.ts";
import type { AssembleInput } from "./assemble.ts";

/** Memories added to a context: framed as data, to be placed after the part that a provider caches. */
export interface Recalled {
  readonly text: string;
  readonly tokens: number;
  /** Ids of the memories, in order. */
  readonly ids: readonly string[];
  /** The time until which each of them is expected to be valid, if known. */
  readonly until: Readonly<Record<string, string>>;
}

export type RecallFor = (input: {
  readonly prompt: string;
  readonly maxTokens: number;
  /** The folder of the current session; null if unknown. */
  readonly project: string | null;
}) => Promise<Recalled | null>;

/** Share of the budget, whatever the memories' own limit is. */
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
