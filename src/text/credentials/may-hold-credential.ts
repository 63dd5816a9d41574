/**
 * Whether running text that somebody else wrote may repeat a credential. An exploration leaves out each sentence that it
 * is not sure of; a whole text has words that no rule knows, such as names, so here something has to look like a key:
 * letters mixed with digits, no word in it, or a password that was announced. In doubt it does.
 */
import { splitSentences } from "../language/split-sentences.ts";
import { holdsCredential } from "./hide-credentials.ts";
import { announcesCredential, isIssuedKey, isKeyOfWords, isPlainSentence } from "./safe-to-show.ts";

export function mayHoldCredential(text: string): boolean {
  if (isIssuedKey(text) || isKeyOfWords(text) || holdsCredential(text)) return true;
  return splitSentences(text).some(
    (sentence) => isAnnounced(sentence) || sentence.split(/\s+/).some(looksLikeKey),
  );
}

/** Words before one that announces a password in which `tangerine is the …` would stand. */
const WORDS_BEFORE = 4;
const SAYS_WHICH = /[:=："'“”„«»`]|(?<!\p{L})(?:is|are|was|ist|sind|lautet|est|es|reads|called)(?!\p{L})/u;

/** Says that there is a password and what it is: then it may be an ordinary word. */
function isAnnounced(sentence: string): boolean {
  if (!announcesCredential(sentence)) return false;
  const words = sentence.split(/\s+/);
  const others = words.filter((word) => !announcesCredential(word));
  if (others.some((word) => /\p{L}\d|\d\p{L}/u.test(word) || !isPlainSentence(word))) return true;
  const from = words.findIndex(announcesCredential);
  return SAYS_WHICH.test(words.slice(Math.max(0, from - WORDS_BEFORE)).join(" "));
}

const SHORTEST_KEY = 8;
const LONGEST_WORD = 24;
/** Letters in a row that nobody can say. */
const UNSAID = /[b-df-hj-np-tv-xz]{7}/i;
const DATE = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/;

function looksLikeKey(token: string): boolean {
  if (isPlainSentence(token)) return false;
  if (/\p{L}=[^=\s]|:\/\/[^/\s]*@|[?&]\w+=/u.test(token)) return true;
  if (token.replaceAll(/\D/g, "").length > 12) return true;
  const runs = token.split(/[^\p{L}\p{M}\p{N}+/_-]+/u).filter((run) => !DATE.test(run));
  return runs.some(isOddRun);
}

function isOddRun(run: string): boolean {
  if (run.length < SHORTEST_KEY) return false;
  if (/\p{L}/u.test(run) && /\d/.test(run)) return true;
  const turns = run.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0;
  return turns > 2 || UNSAID.test(run) || run.split(/[-/_+]/).some(({ length }) => length > LONGEST_WORD);
}
