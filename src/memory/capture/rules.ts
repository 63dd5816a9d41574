/**
 * Capture without a model: what a person asks to remember, says about themselves explicitly, or states about
 * the work, in this order. At most two per message, or four if the conversation is about software. A candidate is the
 * person's own sentence or clause without filler words; nothing is added or inferred.
 * Precision matters more than recall.
 */
import type { MemoryCategory, MemoryText } from "../../memory-types.ts";
import { factKeyOf } from "../dedup/fact-key.ts";
import { ownFactKey } from "../dedup/own-fact-key.ts";
import { categoryOfSentence } from "./category-of-sentence.ts";
import { cleanMessage } from "./clean-message.ts";
import type { LanguagePatterns, StatementPattern } from "./pattern.ts";
import { LANGUAGES } from "./patterns/index.ts";
import { pointsAtTalk } from "./points-at-talk.ts";
import { readStatements, type Statement } from "./read-statements.ts";
import { standsAlone } from "./stands-alone.ts";
import { isDocument, isSpeech, workStatements } from "./work-statements.ts";

interface RuleCandidate {
  readonly category: MemoryCategory;
  readonly text: MemoryText;
  readonly factKey: string | null;
  /** The person asked to remember it. */
  readonly explicit: boolean;
  /** Which candidates of a message come first. */
  readonly rank: number;
  /** The original sentence. */
  readonly quote: string;
  readonly language: string;
  /** In one sentence. */
  readonly why: string;
}

interface RuleCapture {
  readonly candidates: readonly RuleCandidate[];
  /** Why there are these candidates, or none. */
  readonly reason: string;
}

export const MOST_CANDIDATES = 2;
/** People who talk about work often state several things at once. */
const MOST_ABOUT_WORK = 4;
const SHORTEST = 4;
const LONGEST = 300;
const LONGEST_EXPLICIT = 500;
/** A longer message is pasted text; only an explicit request in it counts. */
const LONGEST_MESSAGE = 4_000;

/** Above every score of a statement about the work. */
const RANK = { explicit: 200, personal: 100 } as const;

/** `isWork`: the conversation is about software. */
export function captureByRules(message: string, isWork = false): RuleCapture {
  const { text } = cleanMessage(message);
  if (LANGUAGES.some(({ dontRemember }) => dontRemember.test(text.replaceAll("’", "'"))))
    return { candidates: [], reason: "The message asks not to store it, or is a joke." };
  const read = readStatements(text);
  if (!read.ok) return { candidates: [], reason: read.reason };
  const isLong = text.length > LONGEST_MESSAGE;
  const isForeign = isLong || isDocument(text) || isSpeech(text);
  const found = read.statements.flatMap((statement, index) => {
    const one = requested(statement, read.statements[index - 1]);
    if (one !== null) return [one];
    const own = isLong ? [] : statedBy(statement);
    if (own.length > 0) return own;
    return isForeign ? [] : workStatedIn(statement, isWork);
  });
  const candidates = withoutRepeats(found)
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, isWork ? MOST_ABOUT_WORK : MOST_CANDIDATES);
  if (candidates.length === 0) return { candidates, reason: "The message contains no lasting statement." };
  const left = found.length - candidates.length;
  return { candidates, reason: `${candidates.length} candidates used, ${left} left out.` };
}

/** Whether the text asks to remember something. */
export function hasExplicitRequest(text: string): boolean {
  return captureByRules(text).candidates.some(({ explicit }) => explicit);
}

function withoutRepeats(found: readonly RuleCandidate[]): readonly RuleCandidate[] {
  const seen = new Set<string>();
  return found.filter(({ text }) => !seen.has(text.abstract) && seen.add(text.abstract));
}

/** A request without content, which refers to the previous statement. */
const BARE_REQUEST =
  /^(?:please )?(?:remember (?:this|that|it)|keep (?:this|that) in mind|(?:bitte )?merk dir das|retiens (?:ça|cela)|recuerda esto|lembre-se disso|ricordatelo|запомни(?:те)? это|请?记住(?:这个|这点)?|(?:これを)?覚えておいて(?:ください|ね)?|(?:이거 |이걸 )?기억해\s?(?:줘|둬|주세요)?)(?: please| bitte)?[.!。！]*$/iu;
/** Japanese and Korean put the request at the end; the sentence is not cut. */
const REQUEST_AT_END =
  /^.{4,}(?:[をは、]\s?覚えて(?:おいて)?(?:ください|ね)?|(?:다는|라는|인) (?:것|걸|거)[을를]?,? ?기억해\s?(?:줘|둬|주세요)?)[.!。！]*$/u;
const POLITE = /^(?:can|could|would|will) you/i;

function requested(statement: Statement, before: Statement | undefined): RuleCandidate | null {
  const { sentence, isQuestion } = statement;
  const opened = withoutLead(sentence);
  if (BARE_REQUEST.test(opened)) {
    if (before === undefined || before.isQuestion || BARE_REQUEST.test(before.sentence)) return null;
    return explicitly(before.sentence, `${before.sentence} ${sentence}`, "the sentence before");
  }
  if (REQUEST_AT_END.test(opened) && !isQuestion) return explicitly(opened, sentence, "at the end");
  for (const { remember } of LANGUAGES) {
    const [request] = remember.map((rule) => rule.exec(opened)?.[0]).filter((match) => match !== undefined);
    if (request === undefined || (isQuestion && !POLITE.test(opened))) continue;
    return explicitly(opened.slice(request.length).replace(/\?+$/, ""), sentence, "outright");
  }
  return null;
}

function explicitly(words: string, quote: string, where: string): RuleCandidate | null {
  const abstract = tidied(words);
  if (letters(abstract) < SHORTEST || abstract.length > LONGEST_EXPLICIT) return null;
  const match = matching(withoutLead(abstract));
  const category = match?.statement.category ?? categoryOfSentence(abstract) ?? "entities";
  const why = `The person asked to remember it (${where}${match === null ? "" : `; ${match.statement.what}`}).`;
  return candidate(category, abstract, quote, RANK.explicit, match?.language ?? "any", why);
}

/** The new value, when only "actually" marks it as a fact. */
const OWN_THING =
  /^(?:my|our|mein\p{L}*|unser\p{L}*|mon|ma|mes|mi|mis|meu|minha|il mio|la mia|мой|моя|моё|мое|наш\p{L}*) \S|^(?:我的|我们的|私の|僕の|내 |제 )\S/iu;
const INSISTS =
  /actually|i mean|eigentlich|tatsächlich|ich meint|en fait|en réalité|en realidad|de hecho|na verdade|in realtà|на самом деле|вообще-то|其实|其實|应该是|実は|正しくは|사실|실은/iu;

/** "And" before a new subject. */
const AND_OWN = /,? and (?=(?:i|i'm|my|we|our)(?![\p{L}\p{N}]))/iu;

/** Statements of different categories in one sentence, if each of them stands by itself; else the sentence. */
function statedBy(statement: Statement): readonly RuleCandidate[] {
  const { sentence, masked } = statement;
  const parts = sentence === masked ? sentence.split(AND_OWN) : [];
  const stated = parts.map((part) => statedIn({ ...statement, sentence: part, masked: part }));
  const found = stated.filter((one) => one !== null);
  const categories = new Set(found.map(({ category }) => category));
  if (categories.size > 1 && categories.size === parts.length) return found;
  const whole = statedIn(statement);
  return whole === null ? [] : [whole];
}

function statedIn({ sentence, masked, isQuestion }: Statement): RuleCandidate | null {
  if (isQuestion || letters(sentence) < SHORTEST || sentence.length > LONGEST) return null;
  const [direct, whole] = [withoutLead(masked), withoutLead(sentence)];
  const match = matching(direct);
  // A rule for the future may refer to the conversation.
  if (match?.statement.what !== "rule" && pointsAtTalk(direct)) return null;
  if (match !== null) {
    const { language, statement } = match;
    if (language === "en" && !standsAlone(direct)) return null;
    const why = `The person states it about themselves (${statement.what}).`;
    return candidate(statement.category, tidied(whole), sentence, RANK.personal, language, why);
  }
  return corrected(direct, whole, sentence);
}

/** Named, and not a thing of the conversation. */
const CHOICE =
  /^(?:use|prefer|stick (?:to|with)|go with|switch to) (?!(?:an?|another|both|it|its|my|one|our|that|the|them|these|this|those|your)(?![\p{L}\p{N}]))\S+(?: \S+){0,5}$/iu;

function corrected(masked: string, whole: string, quote: string): RuleCandidate | null {
  for (const { correction, supposed, language } of LANGUAGES) {
    const taken = correction.exec(masked)?.[0];
    if (taken === undefined || supposed.test(masked)) continue;
    const rest = withoutLead(masked.slice(taken.length));
    const match = matching(rest);
    const isChoice = language === "en" && CHOICE.test(rest) && standsAlone(rest);
    if (
      match === null &&
      !isChoice &&
      !(INSISTS.test(masked.slice(0, masked.length - rest.length)) && OWN_THING.test(rest))
    )
      continue;
    // Quotations before it may be masked differently, so the rest is located from the end.
    const words = tidied(withoutLead(whole.slice(correction.exec(whole)?.[0].length ?? 0)));
    const why = `The person corrects an earlier statement${match === null ? "" : ` (${match.statement.what})`}.`;
    const category = match?.statement.category ?? (isChoice ? "preferences" : "entities");
    return candidate(category, words, quote, RANK.personal, language, why);
  }
  return null;
}

/** "No" only marks a correction, unless few words follow. */
const DENIAL = /^(?:(?:no|nope|wrong), (?=(?:\S+ ){2})(?!no |need |more )|actually, )/i;

function workStatedIn({ sentence, masked }: Statement, isWork: boolean): readonly RuleCandidate[] {
  // Masked quotations may shift the positions of words.
  return workStatements(sentence === masked ? sentence : masked, isWork).flatMap((found) => {
    const { category, clause, score, signs } = found;
    if (clause.length > LONGEST || clause.includes('"…"') || pointsAtTalk(clause)) return [];
    const why = `The person states it about the work (score ${score}: ${signs.join(", ")}).`;
    return [candidate(category, tidied(clause.replace(DENIAL, "")), sentence, score, "en", why)];
  });
}

function matching(text: string): { readonly language: string; readonly statement: StatementPattern } | null {
  for (const { language, statements, supposed } of LANGUAGES) {
    const statement = statements.find(({ pattern }) => pattern.test(text));
    if (statement !== undefined) return supposed.test(text) ? null : { language, statement };
  }
  return null;
}

const MOST_LEADS = 3;

function withoutLead(sentence: string): string {
  let rest = sentence;
  for (let round = 0; round < MOST_LEADS; round++) {
    const lead = LANGUAGES.map((patterns: LanguagePatterns) => patterns.lead.exec(rest)?.[0]).find(
      (match) => match !== undefined && match.length < rest.length,
    );
    if (lead === undefined) return rest;
    rest = rest.slice(lead.length);
  }
  return rest;
}

function tidied(words: string): string {
  const text = words.trim().replace(/^["'“”„«]+(?=\S)(?=[^"“”»]*$)/u, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function letters(text: string): number {
  // A character of Chinese, Japanese or Korean counts as about two letters.
  return [...text].reduce(
    (sum, sign) =>
      sum +
      (/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(sign) ? 2 : /[\p{L}\p{N}]/u.test(sign) ? 1 : 0),
    0,
  );
}

function candidate(
  category: MemoryCategory,
  abstract: string,
  quote: string,
  rank: number,
  language: string,
  why: string,
): RuleCandidate {
  const factKey =
    category === "profile" ? ownFactKey(abstract) : (factKeyOf(category, abstract)?.key ?? null);
  const text = { abstract, overview: "", content: "" };
  return { category, text, factKey, explicit: rank === RANK.explicit, rank, quote, language, why };
}
