/** The answer to `judgeDuplicatesPrompt`. An unknown verdict is passed on as it is: what follows from it is not decided here. */
import { z } from "zod";
import { clip } from "../text/cut-text.ts";
import { readModelJson } from "./read-model-json.ts";

interface ReadVerdict {
  /** Lower case. */
  readonly verdict: string;
  /** From 1; null when none was named, 0 when what was named is no number of a match. */
  readonly matchIndex: number | null;
  readonly label: string | null;
  readonly reason: string;
}

type VerdictAnswer =
  | { readonly ok: true; readonly judgement: ReadVerdict }
  | { readonly ok: false; readonly reason: string };

const ANSWER = z.object({
  decision: z.string().optional(),
  verdict: z.string().optional(),
  action: z.string().optional(),
  match_index: z.unknown().optional(),
  matchIndex: z.unknown().optional(),
  reason: z.string().nullish().catch(null),
  context_label: z.string().nullish().catch(null),
  contextLabel: z.string().nullish().catch(null),
});

const LONGEST_REASON = 300;

export function readVerdict(answer: string): VerdictAnswer {
  const json = readModelJson(answer);
  if (!json.ok) return json;
  const { success, data } = ANSWER.safeParse(Array.isArray(json.value) ? json.value[0] : json.value);
  const verdict = success ? (data.decision ?? data.verdict ?? data.action) : undefined;
  if (!success || verdict === undefined || verdict.trim() === "")
    return { ok: false, reason: "The answer names no decision." };
  return {
    ok: true,
    judgement: {
      verdict: clip(verdict.trim().toLowerCase(), 40),
      matchIndex: indexOf(data.match_index ?? data.matchIndex),
      label: data.context_label ?? data.contextLabel ?? null,
      reason: clip((data.reason ?? "").replaceAll(/\s+/g, " ").trim(), LONGEST_REASON) || "No reason given.",
    },
  };
}

function indexOf(value: unknown): number | null {
  if (value === undefined || value === null || value === "") return null;
  const number = typeof value === "number" ? value : Number(/^#?\s*(\d+)$/.exec(String(value).trim())?.[1]);
  return Number.isInteger(number) && number > 0 ? number : 0;
}
