/**
 * Whether prose may contain a credential. An exploration leaves out each sentence that it
 * is not sure of; a whole text contains unknown words, such as names, so here a word must look like a key:
 * letters mixed with digits without a word in them, or an announced password. In doubt, the answer is yes.
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

/** The number of words before the word for a password to check for `tangerine is the …`. */
const WORDS_BEFORE = 4;
const SAYS_WHICH = /[:=："'“”„«»`]|(?<!\p{L})(?:is|are|was|ist|sind|lautet|est|es|reads|called)(?!\p{L})/u;

/** Whether the sentence states a password, which may be an ordinary word. */
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
/** A sequence of letters that is not pronounceable. */
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
