/** What a model wrote of a file, fit to stand in a context for as long as the conversation lives; null when it is not. */

import { cleanSummary } from "../../text/clean-summary.ts";
import { cutToTokens } from "../../text/cut-to-tokens.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { mayHoldCredential } from "./explore/may-hold-credential.ts";

/** As long as a description that is made without a model may be. */
const MOST_TOKENS = 400;

export function cleanDescription(answer: string, countTokens: CountTokens): string | null {
  const plain = cleanSummary(answer)
    .replaceAll("\0", "")
    .toWellFormed()
    // Nobody but us writes references.
    .replaceAll("[LCM ", "(LCM ")
    .replaceAll(/\n{3,}/g, "\n\n");
  const text = cutToTokens(plain, MOST_TOKENS, countTokens).trim();
  return text === "" || mayHoldCredential(text) ? null : text;
}
