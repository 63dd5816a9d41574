/**
 * The sentences of a message that are the author's own words. Code, quotations and pasted logs are
 * excluded; a message that plays a role or contains a text to work on is excluded as a whole.
 */
import { splitSentences } from "../../text/language/split-sentences.ts";
import { withoutPasted } from "../../text/language/without-pasted.ts";

export interface Statement {
  /** The original sentence. */
  readonly sentence: string;
  /** The sentence with quotations masked, which the rules match. */
  readonly masked: string;
  readonly isQuestion: boolean;
}

type Statements =
  | { readonly ok: true; readonly statements: readonly Statement[] }
  | { readonly ok: false; readonly reason: string };

const ROLE_PLAY = [
  /^\s*\*\p{Ll}[^*\n]*\*/mu,
  /\(\(|\bOOC\b|^\s*IC:/m,
  /(?<!\p{L})(?:role[- ]?play\w*|in character|pretend (?:to be|you(?:'re| are)|that)|you are (?:now )?(?:a|an|the) |act as (?:a|an|the|my) |let's play a game|rollenspiel|stell dir vor,? du (?:bist|wärst)|du bist (?:jetzt )?(?:ein|eine) |jeu de rôle|tu es (?:maintenant )?une? |fais semblant|juego de rol|finge que|eres (?:ahora )?una? |finja que|você é (?:agora )?uma? |gioco di ruolo|fai finta|sei (?:ora )?un[a']? |ролев\p{L}+ игр\p{L}+|представь,? что ты|ты (?:теперь )?[—–-] )/iu,
  /角色扮演|(?:你|请)扮演|假装你|你(?:现在)?是一[个名位]|ロールプレイ|なりきって|のふりをして|역할극|인 척/u,
];
/** A task followed by the text to work on. */
const TEXT_TO_WORK_ON = [
  /^(?:(?:please|can you|could you|bitte|s'il te plaît|por favor|per favore|пожалуйста),? )?(?:translate|rewrite|rephrase|paraphrase|proofread|summari[sz]e|polish|correct|edit|improve|check|fix|übersetz|korrigier|formulier|überarbeit|fasse|tradui[sre]|corrige|reformule|résume|traduc[ei]|traduz|corrija|correggi|riassumi|resum|переведи|исправь|перефразируй|перескажи)\p{L}*[^\n:]*(?::|\n)/iu,
  /^(?:请|請|帮我|帮忙)?(?:把)?[^\n：:]{0,12}(?:翻译|翻譯|润色|改写|总结|修改|翻訳|要約|添削|번역|요약|교정)[^\n：:]*(?:[：:]|\n)/u,
];

/** Longer text is not a sentence that a person typed. */
const LONGEST_SENTENCE = 1_000;

export function readStatements(text: string): Statements {
  if (!/\p{L}/u.test(text)) return { ok: false, reason: "Nothing is said." };
  if (ROLE_PLAY.some((rule) => rule.test(text))) return { ok: false, reason: "A role is played." };
  if (TEXT_TO_WORK_ON.some((rule) => rule.test(text)))
    return { ok: false, reason: "It hands over a text to work on." };
  const statements = splitSentences(markInside(joinCode(ownLines(text))))
    .filter((sentence) => !sentence.startsWith(INSIDE))
    .map((sentence) => sentence.replaceAll(INSIDE, "").replaceAll(JOINED, ""))
    .map((sentence) => sentence.replaceAll("’", "'").replaceAll(/\s+/g, " ").trim())
    .filter((sentence) => sentence.length <= LONGEST_SENTENCE && /\p{L}/u.test(sentence))
    .map((sentence) => ({ sentence, masked: maskQuotes(sentence), isQuestion: isQuestion(sentence) }));
  return { ok: true, statements };
}

/** Quoted, indented, or written by a program. */
const FOREIGN_LINE =
  /^(?:\s*>|\t| {4,}\S|\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL)\b|at \S+ ?\(|Traceback|File "|\$ |>>> |diff --git|@@|[{}[\]]|<\/?\w|[\w.-]+@[\w.-]+[:~$#]))/;

/** What follows, up to an empty line, is sample text. */
const INTRODUCES_SAMPLE =
  /(?<!\p{L})(?:examples?|samples?|test (?:data|cases?|inputs?|messages?|prompts?|sentences?)|fixtures?|(?:in|out)put|transcript|like this|e\.g\.|here(?:'s| is) (?:the|a|an|my|some) \p{L}+)[^.!?]{0,30}:\s*$/iu;

function ownLines(text: string): string {
  let isSample = false;
  return withoutPasted(text)
    .split("\n")
    .map((line) => {
      const isForeign = isSample || FOREIGN_LINE.test(line);
      isSample = INTRODUCES_SAMPLE.test(line) || (isSample && line.trim() !== "");
      return isForeign ? "" : line.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, "");
    })
    .join("\n");
}

const CODE_SPAN = /`[^`\n]{1,500}`/g;
/** Keeps a code span in one sentence: stands between a full stop and a space in it. */
const JOINED = "\uE001";

function joinCode(text: string): string {
  return text.replace(CODE_SPAN, (span) => span.replace(/[.!?…](?=\s)/g, `$&${JOINED}`));
}

/** Bounded, so that a text full of opening quotes is matched in linear time. */
const QUOTATION =
  /"[^"]{1,500}"|“[^”]{1,500}”|„[^“”]{1,500}[“”]|«[^»]{1,500}»|「[^」]{1,500}」|『[^』]{1,500}』/gu;

/** Marks each further sentence of a quotation as quoted, with a private-use character. */
const INSIDE = "\uE000";
/** Opened before a word and closed after one; an inch mark follows a number. */
const QUOTED_SPEECH =
  /(?<![\p{L}\p{N}])"(?=\S)[^"\n]{1,500}"(?![\p{L}\p{N}])|“[^”\n]{1,500}”|„[^“”\n]{1,500}[“”]|«[^»\n]{1,500}»|「[^」\n]{1,500}」|『[^』\n]{1,500}』/gu;

function markInside(text: string): string {
  return text.replace(QUOTED_SPEECH, (speech) =>
    speech.replace(/([.!?…]\s+|[。！？]\s*)(?=[\p{L}\p{N}])/gu, `$1${INSIDE}`),
  );
}

/** Masks quotations of more than one word; a quoted name stays readable. */
function maskQuotes(sentence: string): string {
  return sentence.replace(QUOTATION, (quotation) =>
    /\s/.test(quotation) || /^[「『].{5,}[」』]$/u.test(quotation) ? '"…"' : quotation,
  );
}

const QUESTION = /[?？]["'”’)\]»」]*$|(?:吗|嗎|吧|ですか|ますか|でしょうか|까요|나요|습니까|을까)[。.]?$/u;

function isQuestion(sentence: string): boolean {
  return QUESTION.test(sentence);
}
