/** The answer to `rateUtilityPrompt`. */
import { z } from "zod";
import { clip } from "../text/cut-text.ts";
import { readModelJson } from "./read-model-json.ts";

type UtilityAnswer =
  | { readonly ok: true; readonly utility: number; readonly reason: string }
  | { readonly ok: false; readonly reason: string };

const ANSWER = z.object({
  utility: z.union([z.number(), z.string()]).optional(),
  score: z.union([z.number(), z.string()]).optional(),
  reason: z.string().nullish().catch(null),
});
const BARE = /^(?:0|1|0?\.\d+|1\.0+|0\.0+)$/;
const LONGEST_REASON = 300;

export function readUtility(answer: string): UtilityAnswer {
  if (BARE.test(answer.trim()))
    return { ok: true, utility: Number(answer.trim()), reason: "No reason given." };
  const json = readModelJson(answer);
  if (!json.ok) return json;
  const { success, data } = ANSWER.safeParse(json.value);
  const utility = success ? numberOf(data.utility ?? data.score) : null;
  if (!success || utility === null) return { ok: false, reason: "The answer names no utility from 0 to 1." };
  const reason = clip((data.reason ?? "").replaceAll(/\s+/g, " ").trim(), LONGEST_REASON);
  return { ok: true, utility, reason: reason || "No reason given." };
}

/** `0.7`, `"0.7"` or `"70 %"`. A number above 1 without a percent sign could mean anything. */
function numberOf(value: number | string | undefined): number | null {
  const [, digits, percent] = /^\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(String(value ?? "")) ?? [];
  if (digits === undefined) return null;
  const number = percent === "%" ? Number(digits) / 100 : Number(digits);
  return number <= 1 ? number : null;
}
