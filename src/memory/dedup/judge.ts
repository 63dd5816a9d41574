/**
 * What a candidate does to known memories. A model judges if there is one; otherwise rules do: the same words, or a
 * nearly equal meaning, support the known memory; another value of the same key, or a statement that
 * retracts it, replaces it; anything else is new. A key that is taken is never written twice. A statement older than the memory that it would
 * replace does not replace it in any case: it is stored as superseded.
 */
import { isPalimpsestError } from "../../errors.ts";
import type { Complete } from "../../model/complete.ts";
import { judgeDuplicatesPrompt, readVerdict } from "../../prompts/judge-duplicates.ts";
import type { StoredMemory } from "../../store/memory-store.ts";
import { takesPlaceOf, whyInForce } from "../../store/rules/fact-order.ts";
import { GENERAL } from "./context-label.ts";
import { type FoundMatch, isSameWording } from "./find-matches.ts";
import { compareSlots } from "./preference-slot.ts";
import { saysTheSame } from "./says-the-same.ts";
import { takesBack } from "./takes-back.ts";
import {
  ALWAYS_MERGED,
  JUDGED,
  type Judgement,
  type Match,
  planVerdict,
  type VerdictPlan,
} from "./verdict.ts";
import type { Candidate } from "./writes-of.ts";

/** Above this cosine, two sentences are paraphrases. */
const SAME_MEANING = 0.95;

export async function judge(
  candidate: Candidate,
  found: readonly FoundMatch[],
  complete: Complete | null,
  signal?: AbortSignal,
): Promise<VerdictPlan> {
  return keepOrder(await judgeUnordered(candidate, found, complete, signal), candidate, found);
}

async function judgeUnordered(
  candidate: Candidate,
  found: readonly FoundMatch[],
  complete: Complete | null,
  signal?: AbortSignal,
): Promise<VerdictPlan> {
  const byRule = judgeByRules(candidate, found);
  if (complete === null || byRule !== null) return byRule ?? created("No active memory contains it.");
  const all = found.map(({ memory }) => memory);
  if (ALWAYS_MERGED.has(candidate.memory.category))
    return planVerdict({ candidate: candidate.memory, matches: all.map(toMatch), judgement: null });
  const shown = all.slice(0, JUDGED.most);
  const judgement = shown.length === 0 ? null : await ask(candidate, shown, complete, signal);
  return planVerdict({ candidate: candidate.memory, matches: shown.map(toMatch), judgement });
}

/** Null when a judge is needed. Without one, a candidate that no rule decides is new. */
function judgeByRules({ memory }: Candidate, found: readonly FoundMatch[]): VerdictPlan | null {
  const same = found.find(
    ({ memory: known, cosine }) =>
      isSameWording(known, memory) ||
      ((cosine ?? 0) >= SAME_MEANING &&
        saysTheSame(known.abstract, memory.abstract) &&
        known.factKey === memory.factKey),
  );
  if (same !== undefined) return supported(same.memory);
  const wrong = found.find(({ memory: known }) => takesBack(memory.abstract, known.abstract));
  if (wrong !== undefined) return replaced(wrong.memory, `It replaces ${wrong.memory.id}.`);
  const [nearest] = found;
  const slots = nearest === undefined ? null : compareSlots(memory.abstract, nearest.memory.abstract);
  const taken = found.find(({ memory: { factKey } }) => factKey !== null && factKey === memory.factKey);
  if (slots?.isOtherItem === true)
    return taken === undefined
      ? created(slots.reason)
      : replaced(taken.memory, `${slots.reason} The key ${memory.factKey} has only one value.`);
  return taken === undefined
    ? null
    : replaced(taken.memory, `It contains the current value of ${memory.factKey}.`);
}

function keepOrder(plan: VerdictPlan, { memory }: Candidate, found: readonly FoundMatch[]): VerdictPlan {
  const targets = plan.effects.flatMap((effect) => (effect.kind === "supersede" ? effect.targets : []));
  const later = found.find(
    ({ memory: known }) => targets.includes(known.id) && !takesPlaceOf(memory, known, memory.createdAt),
  );
  if (later === undefined) return plan;
  const { id, createdAt } = later.memory;
  const supersededBy = { id, createdAt };
  const reason = `${id} holds${whyInForce(later.memory, memory, memory.createdAt)}.`;
  return { ...plan, effects: [{ kind: "create", supersededBy }], applied: "create", reason };
}

function created(reason: string): VerdictPlan {
  return { effects: [{ kind: "create" }], judged: null, applied: "create", reason };
}

function supported({ id }: StoredMemory): VerdictPlan {
  const effects = [{ kind: "support" as const, target: id, label: GENERAL }];
  return { effects, judged: null, applied: "support", reason: `${id} contains the same fact.` };
}

function replaced({ id }: StoredMemory, reason: string): VerdictPlan {
  return { effects: [{ kind: "supersede", targets: [id] }], judged: null, applied: "supersede", reason };
}

function toMatch(memory: StoredMemory): Match {
  const { id, scope, category, factKey } = memory;
  return { id, scope, category, factKey, isActive: true };
}

const ANSWER_TOKENS = 400;

/** Null when the response cannot be read; the candidate is then kept beside the known memories. */
async function ask(
  { memory }: Candidate,
  matches: readonly StoredMemory[],
  complete: Complete,
  signal?: AbortSignal,
): Promise<Judgement | null> {
  const prompt = judgeDuplicatesPrompt({
    candidate: { ...memory, at: null },
    matches: matches.map((match) => ({ ...match, at: match.createdAt.slice(0, 10) })),
  });
  try {
    const { text } = await complete({
      purpose: "memory",
      ...prompt,
      maxTokens: ANSWER_TOKENS,
      temperature: 0.1,
      ...(signal === undefined ? {} : { signal }),
    });
    const read = readVerdict(text);
    return read.ok ? read.judgement : null;
  } catch (error) {
    if (isPalimpsestError(error, "cancelled") || isPalimpsestError(error, "model-authentication"))
      throw error;
    return null;
  }
}
