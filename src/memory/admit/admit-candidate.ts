/** Scores a candidate before it is compared with known memories. An explicit request to remember is not scored. */
import { isPalimpsestError } from "../../errors.ts";
import type { Complete } from "../../model/complete.ts";
import { rateUtilityPrompt, readUtility } from "../../prompts/rate-utility.ts";
import type { FoundMatch } from "../dedup/find-matches.ts";
import type { Candidate } from "../dedup/writes-of.ts";
import type { MemorySettings } from "../memory-dependencies.ts";
import { type Admission, decideAdmission } from "./admit.ts";
import { ADMISSION } from "./presets.ts";

interface AdmitInput {
  readonly candidate: Candidate;
  readonly explicit: boolean;
  /** The text that the candidate was extracted from. */
  readonly conversation: string;
  readonly found: readonly FoundMatch[];
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

/** Null when the candidate is not scored. */
export async function admitCandidate(
  { candidate, explicit, conversation, found, now, signal }: AdmitInput,
  {
    settings,
    complete,
  }: { readonly settings: Pick<MemorySettings, "admission">; readonly complete: Complete | null },
): Promise<Admission | null> {
  if (settings.admission === "off" || explicit) return null;
  const compared = found.flatMap(({ memory, cosine }) => {
    const { id, category, createdAt } = memory;
    return cosine === null ? [] : [{ id, category, cosine, createdAt }];
  });
  const utility = await utilityOf(candidate, complete, signal);
  return decideAdmission(
    { candidate: candidate.memory, conversation, compared, utility, now },
    ADMISSION[settings.admission],
  );
}

const ANSWER_TOKENS = 200;

/** Null without a model, when it fails, and when its response has no rating. */
async function utilityOf(
  { memory }: Candidate,
  complete: Complete | null,
  signal?: AbortSignal,
): Promise<number | null> {
  if (complete === null) return null;
  try {
    const { text } = await complete({
      purpose: "memory",
      ...rateUtilityPrompt(memory),
      maxTokens: ANSWER_TOKENS,
      temperature: 0.1,
      ...(signal === undefined ? {} : { signal }),
    });
    const read = readUtility(text);
    return read.ok ? read.utility : null;
  } catch (error) {
    if (isPalimpsestError(error, "cancelled") || isPalimpsestError(error, "model-authentication"))
      throw error;
    return null;
  }
}
