/**
 * The template of a log line: the fixed text of the program. A word stays only if it is a plain word or the dotted
 * name of a module; numbers, ids, paths, addresses and everything else become `<*>`. After a word that announces a
 * credential, only words stay that are not used in credentials.
 */

import {
  announcesCredential,
  isKeyOfWords,
  isPlainName,
  isSensitiveName,
} from "../../../../text/credentials/safe-to-show.ts";
import { detach } from "../detach.ts";

export const MASK = "<*>";
const MOST_TOKENS = 40;
const MOST_KNOWN = 20_000;
const DOTTED = /^[\p{L}_][\w$]*(?:[.:][\p{L}_][\w$]*){2,}$/u;
const CORE = /^([[("'<{]*)(.*?)([\])"'>},.;:!?]*)$/su;
const ASSIGNMENT = /^([\p{L}_][\w.-]{0,40})[=:](.+)$/su;
const COMMON =
  /^\W*(?:users?|sessions?|account|connection|conn|hash|key|basic|backup|recovery|identity)\W*$/i;
/** Words that may follow `password` without being a password. */
const HARMLESS = new Set(
  "for from to of on in at by with the a an and or is was are were be been has have had not no invalid user users failed failure failures error errors expired expires expiry missing required accepted rejected denied changed reset updated created deleted revoked refreshed verified check checked checking authentication port via received sent using attempt attempts mismatch incorrect wrong provided found empty".split(
    " ",
  ),
);

interface MaskedWord {
  readonly text: string;
  /** The next word may be a credential. */
  readonly isAnnouncing: boolean;
}

/** Most words without a letter are distinct numbers, which would fill any table. */
const NUMBER: MaskedWord = { text: MASK, isAnnouncing: false };
const LETTER = /\p{L}|^[[\](){}<>"'|,.:;!?=*-]{1,4}$/u;

export class LineMasker {
  /** Words seen before, with their masked form. */
  readonly #known = new Map<string, MaskedWord>();

  tokens(message: string): string[] {
    const tokens: string[] = [];
    let isNearCredential = false;
    for (const word of message.split(/\s+/, MOST_TOKENS)) {
      if (word === "") continue;
      const masked = LETTER.test(word) ? this.#mask(word) : NUMBER;
      const text = isNearCredential ? maskNearCredential(word) : masked.text;
      isNearCredential ||= masked.isAnnouncing;
      if (text !== MASK || tokens.at(-1) !== MASK) tokens.push(text);
    }
    return tokens;
  }

  #mask(word: string): MaskedWord {
    const known = this.#known.get(word);
    if (known !== undefined) return known;
    const masked = { text: maskWord(word), isAnnouncing: isAnnouncing(word) };
    if (this.#known.size < MOST_KNOWN && word.length <= 64) this.#known.set(detach(word), masked);
    return masked;
  }
}

/** A template that is safe to show: some credentials are announced by several words, and some consist of words. */
export function showTemplate(tokens: readonly string[]): string[] {
  const shown: string[] = [];
  for (const token of tokens) {
    const text = announcesCredential(shown.join(" ")) ? maskNearCredential(token) : token;
    if (text !== MASK || shown.at(-1) !== MASK) shown.push(text);
  }
  return isKeyOfWords(shown.join(" ")) ? [MASK] : shown;
}

/** Names of credentials, and options of commands. Some such words usually mean other things. */
function isAnnouncing(word: string): boolean {
  if (/^--?\p{L}/u.test(word)) return true;
  return isSensitiveName(word) && !COMMON.test(word);
}

function maskNearCredential(word: string): string {
  if (word.length > 40) return MASK;
  const core = CORE.exec(word)?.[2] ?? "";
  return HARMLESS.has(core.toLowerCase()) ? word : MASK;
}

function maskWord(word: string): string {
  if (word.length > 120) return MASK;
  const [, open = "", core = "", close = ""] = CORE.exec(word) ?? [];
  if (core === "") return /^[[\](){}<>"'|,.:;!?=*-]{1,4}$/.test(word) ? word : MASK;
  if (isTemplateWord(core)) return word;
  const [, name = ""] = ASSIGNMENT.exec(core) ?? [];
  if (name !== "" && isTemplateWord(name)) return `${open}${name}=${MASK}${close}`;
  return MASK;
}

/** A fixed word: no digits, unless it is the dotted name of a module. */
function isTemplateWord(word: string): boolean {
  if (/\d/.test(word)) return DOTTED.test(word) && isPlainName(word);
  return /^[\p{L}][\p{L}\p{M}_.'$-]*$/u.test(word) && isPlainName(word.replaceAll("'", ""));
}
