/**
 * Decides which text of a file an exploration may repeat. It stays in the context as long as the conversation, so
 * the rule fails closed: text is shown only if it consists of plain words, plain numbers or dates, has a
 * harmless name, and no neighbour mentions a credential. All other text is counted, never
 * quoted. There is no list of patterns of secrets, except for the few that look like words.
 */
import { ANNOUNCES, FLAG, FUNCTION_WORDS, ISSUED_KEY, NAMES_CREDENTIAL } from "./credential-words.ts";
import { holdsCredential } from "./hide-credentials.ts";
import { isManyGroups, isPlainRun } from "./plain-run.ts";
import { areReadableTogether } from "./plausible-word.ts";

/** Pieces of names whose values are never shown. */
const SENSITIVE_PIECES = new Set(
  (
    "pass passwd password passwords passphrase passcode pwd pw pin otp mfa totp secret secrets token tokens key keys apikey " +
    "auth authorization authentication authenticator oauth bearer basic cookie cookies credential credentials cred creds session sessions " +
    "sessionid sid jwt csrf xsrf nonce salt hash hmac signature sig sign signed private privkey cert certificate pem ssh gpg pgp rsa " +
    "dsn connection conn jdbc seed mnemonic wallet recovery backup cvv cvc card iban ssn account login user username userid " +
    "license licence webhook identity passkey sas kubeconfig"
  ).split(" "),
);
/** Names of objects that contain credentials under arbitrary names. */
const HOLDERS = new Set(
  "auth key keys apikeys cert certs certificates private ssh wallet mnemonic jwt cookies creds oauth vault".split(
    " ",
  ),
);
/** Names that may have any value, such as the second half of `name: DB_PASSWORD, value: …`. */
const CATCH_ALL = new Set(
  (
    "value values val data default content contents text body raw payload input output stdin stdout arg args argument arguments " +
    "argv env environment environ command commands cmd query url uri urls href src link header headers param params config " +
    "settings message msg comment comments note notes example examples"
  ).split(" "),
);
const FOUR_BY_FOUR = /(?:^|\s)[a-z]{4}(?: [a-z]{4}){3}(?:$|[\s.,])/;
const STRUCTURAL = /[_\-./\\:\s{}<>[\]*$@#(),|~]/;
const LONGEST_NAME = 100;
const LONGEST_VALUE = 40;
/** Maximum length of a word in code that need not be pronounceable. */
const SHORT_WORD = 8;
const MOST_WORDS = 6;
const MOST_DIGITS = 12;
/** 13 or more digits in a row, or in groups with at most one separator between two of them. */
const LONG_NUMBER = /\d(?:[\s.-]?\d){12}/;

/** The words of a name: `dbPassword`, `DB_PASSWORD` and `db-password` have the same two. */
function piecesOf(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]/u);
}

/** Values of this name are never shown, not even their range. */
export function isSensitiveName(name: string): boolean {
  if (NAMES_CREDENTIAL.test(name) || ANNOUNCES.test(name)) return true;
  if (/^[a-z]+$/.test(name)) return SENSITIVE_PIECES.has(name);
  return piecesOf(name).some((piece) => SENSITIVE_PIECES.has(piece.toLowerCase().replace(/\d+$/, "")));
}

/** Any value inside an object of this name may be a credential. */
export function holdsCredentials(name: string): boolean {
  if (NAMES_CREDENTIAL.test(name) || ANNOUNCES.test(name)) return true;
  return piecesOf(name).some((piece) => HOLDERS.has(piece.toLowerCase()));
}

/** Text with this name is never shown; numbers and dates may be. */
export function isCatchAllName(name: string): boolean {
  return piecesOf(name).some((piece) => CATCH_ALL.has(piece.toLowerCase()));
}

export function namesCredential(value: string): boolean {
  return NAMES_CREDENTIAL.test(value);
}

/** Whether a name may be shown: of a key, column, element, function, module, file, template. */
export function isPlainName(name: string): boolean {
  if (name === "" || name.length > LONGEST_NAME || ISSUED_KEY.test(name) || name.includes("://"))
    return false;
  if (/:[^/\s]*@/.test(name) || /^[\d\s.,:+-]{10,}$/.test(name) || LONG_NUMBER.test(name)) return false;
  if (/(?:^|\/)-/.test(name)) return false;
  // With a space or colon it may be a name and its value.
  if (/[\s：]|(?<!:):(?!:)/.test(name) && (mentionsCredential(name) || FLAG.test(name) || isSeedPhrase(name)))
    return false;
  if (isManyGroups(name) || !areReadableTogether(name)) return false;
  return name.split(STRUCTURAL).every(isPlainRun);
}

/** The signature of a parsed definition without its literals: only names are left, and each must be plain. */
export function isPlainCode(signature: string): boolean {
  // Symbols of other scripts are part of names in some languages, but of sentences in all.
  if (isKeyOfWords(signature) || /[^\p{ASCII}\p{L}\p{M}\p{N}…]/u.test(signature)) return false;
  const names = signature.match(/[\p{L}\p{M}\p{N}_$]+/gu) ?? [];
  return names.every((name) => isPlainNumberRun(name) || isPlainIdentifier(name));
}

/** A name in parsed code is structure: short words of it may be any letters, such as `zzz` and `strncpy`. */
export function isPlainIdentifier(name: string): boolean {
  if (name.length > LONGEST_NAME || ISSUED_KEY.test(name)) return false;
  return name.split(/[^\p{L}\p{M}\p{N}]/u).every((run) => isShortWord(run) || isPlainRun(run));
}

/** In one case, with at most a small number after it. */
function isShortWord(run: string): boolean {
  return run.length <= SHORT_WORD && /^(?:[A-Z]?[a-z]+|[A-Z]+)\d{0,2}$/.test(run);
}

/**
 * The signature of a definition in an unparsed line. Its name may contain the word for a password, but the rest
 * may not.
 */
export function isPlainHead(line: string): boolean {
  const [named, name = ""] = /\s([\p{L}_$][\p{L}\p{N}_$.?!]*)(?=\s*(?:\(|$))/u.exec(line) ?? [""];
  if (isPlainSentence(line)) return true;
  return !isKeyOfWords(line) && isPlainName(name) && isPlainSentence(line.replace(named, " "));
}

/** As many digits as the numbers of cards and accounts have, with any separators. */
function hasManyDigits(text: string): boolean {
  return text.replaceAll(/\D/g, "").length > MOST_DIGITS;
}

/** A value that may be shown as an example: a few plain words, a plain number, a version, a date. */
export function isPlainValue(value: string): boolean {
  if (value.length > LONGEST_VALUE || ISSUED_KEY.test(value)) return false;
  if (isPlainNumber(value) || isPlainDate(value)) return true;
  if (hasManyDigits(value)) return false;
  if (mentionsCredential(value) || FLAG.test(value) || holdsCredential(value)) return false;
  if (/[=@?%\\`"|$~^;]|:\S|\/\//.test(value)) return false;
  const words = value
    .split(/[\s,()&/'’.+\-，。、：；！？「」『』《》〈〉（）【】·・…]/)
    .filter((word) => word !== "");
  if (words.length === 0 || words.length > MOST_WORDS) return false;
  if (isManyGroups(value) || !areReadableTogether(value)) return false;
  return words.every((word) => (isPlainRun(word) || isPlainName(word)) && !isWordWithNumber(word));
}

/** `hunter2` and `Summer2024` are typical passwords; `Q1`, `utf8` and `sha256` are too short for one. */
function isWordWithNumber(word: string): boolean {
  return word.length > 6 && /\p{L}{3}\d|\d\p{L}{3}/u.test(word);
}

function isPlainNumber(value: string): boolean {
  return /^[+-]?\d{1,9}(?:\.\d{1,12})?$/.test(value);
}

function isPlainDate(value: string): boolean {
  return /^\d{2,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)?(?:Z|[+-]\d{2}:?\d{2})?$/.test(
    value,
  );
}

/** A sentence or heading that may be quoted: every word of it is plain, and it announces no password. */
export function isPlainSentence(text: string): boolean {
  if (ANNOUNCES.test(text) || ISSUED_KEY.test(text) || FLAG.test(text) || isKeyOfWords(text)) return false;
  return !holdsCredential(text) && text.split(/\s/).every(isPlainToken);
}

function mentionsCredential(text: string): boolean {
  return isSensitiveName(text);
}

/** Words and numbers that are plain individually but may form a key of a wallet, bank or mail provider. */
export function isKeyOfWords(text: string): boolean {
  return isSeedPhrase(text) || FOUR_BY_FOUR.test(text) || LONG_NUMBER.test(text);
}

/** Whether the text contains the prefix of a key that a provider issues. */
export function isIssuedKey(text: string): boolean {
  return ISSUED_KEY.test(text);
}

/** Whether the next words may be a password, which may be an ordinary word. */
export function announcesCredential(text: string): boolean {
  return ANNOUNCES.test(text);
}

function isPlainToken(token: string): boolean {
  if (token.length <= 3 || !/[\p{L}\p{N}]/u.test(token)) return true;
  if (/[\p{L}\p{N}]=[^=\s…]|:\/\/[^/\s]*@|[?&]\w+=/u.test(token)) return false;
  if (isManyGroups(token) || hasManyDigits(token) || !areReadableTogether(token)) return false;
  const runs = token.replace(/^\w+:\/\//, "").split(/[^\p{L}\p{M}\p{N}]/u);
  return runs.every((run) => isPlainNumberRun(run) || isPlainProseRun(run));
}

function isPlainNumberRun(run: string): boolean {
  return /^\d{1,9}$/.test(run);
}

/** Scripts without spaces write whole sentences as one run. */
function isPlainProseRun(run: string): boolean {
  if (!/[A-Za-z0-9]/.test(run)) return true;
  return (run.match(/[\p{sc=Latin}\p{M}0-9]+/gu) ?? []).every(isPlainRun);
}

/** Twelve or more lower-case words in a row, none of which is a function word: a seed phrase of a wallet. */
function isSeedPhrase(text: string): boolean {
  let run = 0;
  for (const word of text.split(/[\s,]+/)) {
    run = /^[a-z]{3,8}$/.test(word) && !FUNCTION_WORDS.has(word) ? run + 1 : 0;
    if (run >= 10) return true;
  }
  return false;
}
