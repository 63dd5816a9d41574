/**
 * Hides keys that are recognisable without context: random letters and digits, keys of providers, the
 * numbers of cards and accounts, seed phrases of wallets. Common ids are kept: short hashes, UUIDs, a hash that is
 * labelled as one, and names made of words.
 */
import { FILE_ENDING, FUNCTION_WORDS, HIDDEN, ISSUED_KEY, LONG_NUMBER } from "./credential-words.ts";
import { isManyGroups, isPlainRun } from "./plain-run.ts";
import { arePlausibleTogether, areReadableTogether } from "./plausible-word.ts";

/** The header of a key file, and the encoded text after it. */
const KEY_FILE = /-----BEGIN [A-Z0-9 ]{3,40}-----(?:\\n|\s)*(?:[A-Za-z0-9+/=]{8,}(?:\\n|\s)*)*/g;
const IBAN = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g;
const GROUPS = /(?<![A-Za-z0-9-])[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){3,}(?![A-Za-z0-9-])/g;
/** A word with a number and a punctuation mark, which is typical only of passwords. */
const MADE_UP = /(?<![\p{L}\p{N}])\p{L}{4,}\d{1,6}[!#$%&*]+(?![\p{L}\p{N}(])/gu;
/** Letters of both cases, digits and punctuation without a space, as password managers generate them. */
const MIXED =
  /(?<!\S)(?=\S*[a-z])(?=\S*[A-Z])(?=\S*\d[^\s\d]+\d)[A-Za-z0-9@._-]*[A-Za-z0-9][!#$%&*^~][A-Za-z0-9!#$%&*^~@._+-]{3,64}(?!\S)/g;
const FOUR_BY_FOUR = /(?<=^|\s)[a-z]{4}(?: [a-z]{4}){3}(?=$|[\s.,])/g;
/** With the same separator between all of them; a list in prose also has others. */
const WORDS_IN_A_ROW = /(?<!\p{L})[a-z]{3,8}( |, ?)[a-z]{3,8}(?:\1[a-z]{3,8}){8,}(?!\p{L})/gu;
/** Text without spaces that may be a key, a path, an address or a name. */
const TOKEN = /(?<![A-Za-z0-9])[A-Za-z0-9][A-Za-z0-9+/_=.~-]{8,}[A-Za-z0-9+/=_-]/g;

/**
 * Quick checks for the expressions above, since most texts match none of them. They begin with the rarest character,
 * which an engine finds many times as fast as a class of letters.
 */
const MAY_BE_MADE_UP = /[!#$%&*](?<=\d.)/;
const MAY_BE_MIXED = /[!#$%&*^~](?<=[A-Za-z0-9].)[A-Za-z0-9!#$%&*^~@._+-]{3}/;
const MAY_BE_GROUPS = /-(?<=[A-Z0-9]{4}-)[A-Z0-9]{4}/;
const MAY_BE_WORDS_IN_A_ROW = /[ ,](?<=[a-z]{3}.)(?: ?[a-z]{3,8}[ ,]){8} ?[a-z]{3}/;
const MAY_BE_FOUR = / [a-z]{4} [a-z]{4} [a-z]{4}(?![a-z])/;

export function hideKeys(text: string): string {
  const numbered = text
    .replace(KEY_FILE, HIDDEN)
    .replace(IBAN, (number) => (number.replace(/\D/g, "").length >= 8 ? HIDDEN : number))
    .replace(LONG_NUMBER, (number, at: number, whole: string) =>
      isCardNumber(number) && !isInId(whole, at) ? HIDDEN : number,
    );
  const grouped = MAY_BE_GROUPS.test(text) ? numbered.replace(GROUPS, hideGroups) : numbered;
  const made = MAY_BE_MADE_UP.test(text) ? grouped.replace(MADE_UP, HIDDEN) : grouped;
  const mixed = MAY_BE_MIXED.test(text) ? made.replace(MIXED, hidePassword) : made;
  const four = MAY_BE_FOUR.test(text) ? mixed.replace(FOUR_BY_FOUR, hideFour) : mixed;
  const rows = MAY_BE_WORDS_IN_A_ROW.test(text) ? four.replace(WORDS_IN_A_ROW, hideSeedPhrase) : four;
  return rows.replace(TOKEN, hideToken);
}

function hideGroups(groups: string): string {
  return isManyGroups(groups) && !areReadableTogether(groups) ? HIDDEN : groups;
}

function hidePassword(mixed: string): string {
  return mixed.length < 10 ? mixed : HIDDEN;
}

function hideFour(words: string): string {
  return arePlausibleTogether(words.split(" ")) ? words : HIDDEN;
}

/** A seed phrase of a wallet: many words, none of which is a function word. */
function hideSeedPhrase(words: string): string {
  const joins = words.split(/[ ,]+/).map((word) => FUNCTION_WORDS.has(word));
  const longest = joins.reduce(
    ({ run, most }, isJoin) => {
      const next = isJoin ? 0 : run + 1;
      return { run: next, most: Math.max(most, next) };
    },
    { run: 0, most: 0 },
  ).most;
  return longest >= SEED_WORDS ? HIDDEN : words;
}

const SEED_WORDS = 10;
/** Fewer digits in one run belong to a time or an order number. */
const CARD_DIGITS = 15;

/** Grouped as on cards, or with a valid check digit. */
function isCardNumber(number: string): boolean {
  if (/^\d{4}([ .-])(?:\d{4}\1\d{4}\1\d{4}|\d{6}\1\d{5}$)/.test(number)) return true;
  return /^\d+$/.test(number) && number.length >= CARD_DIGITS && hasCheckDigit(number);
}

/** Ids such as `file_0000000000000004` may contain many consecutive digits. */
function isInId(text: string, at: number): boolean {
  return /(?<![\p{L}\p{N}])[a-z]{1,12}_[0-9a-f]*$/u.test(text.slice(Math.max(0, at - 32), at));
}

function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** The number of characters before a hash that may label it as one. */
const CALLED = 48;
const CALLS_HASH =
  /(?:commits?|sha-?\d*|hash(?:es)?|digest|checksum|rev|revision|md5|etag|blob|tree|parent|merge|head|object|trace|span|request|fingerprint|integrity)(?![\p{L}\p{N}])[^\n]{0,12}$/iu;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-f])/i;
/** Ids of common systems, including ours: a type and a short number. */
const ID = /^[a-z]{1,12}[_-][0-9a-f]{6,31}(?:_\d{1,9})?$/;
/** Like an id of ours: what was mistyped in it must be visible. Keys have more letters that are not hexadecimal digits. */
const OWN_ID = /^(?:conv|msg|sum|file|mem)_([0-9a-z]{4,20})(?:_\d{1,9})?$/i;
const MOST_MISTYPED = 2;
const HASH = /^[0-9a-f]{32,128}$/;

/** A path or a name of lower-case words, the most common case. */
const SMALL_WORDS = /^(?:[a-z]{1,15}(?![a-z])|[^A-Za-z0-9])+$/;

/** None of these is as long as a key: of two cases, of one case, or hexadecimal. */
const SHORT_RUNS =
  /^(?:(?:[a-z0-9]{1,15}|[0-9a-f]{16,19}|[A-Z0-9]{1,15}|[A-Za-z0-9]{1,9})(?![A-Za-z0-9])|[^A-Za-z0-9])+$/;
const FEWEST_LETTERS = 20;

function hideToken(token: string, at: number, text: string): string {
  if (SMALL_WORDS.test(token)) return token;
  if (token.length < FEWEST_LETTERS && SHORT_RUNS.test(token) && !ISSUED_KEY.test(token)) return token;
  if (isMostlyDrawn(token)) return HIDDEN + endingOf(token);
  let told = text.slice(Math.max(0, at - CALLED), at);
  return token
    .split(/(?<=[/=])/)
    .map((piece) => {
      const shown = isKey(piece, told) ? HIDDEN + endingOf(piece) + signBehind(piece) : piece;
      told = (told + piece).slice(-CALLED);
      return shown;
    })
    .join("");
}

function signBehind(piece: string): string {
  return /[/=]$/.exec(piece)?.[0] ?? "";
}

/** Encoded bytes may contain the separators of paths, but then none of the pieces is readable. */
function isMostlyDrawn(token: string): boolean {
  if (!/[/=]./.test(token)) return false;
  const runs = runsOf(token).filter(({ length }) => length > 2);
  const letters = runs.join("").length;
  const drawn = runs.filter((run) => !isPlainRun(run)).join("").length;
  return letters >= FEWEST_LETTERS && drawn > 0.8 * letters && /[a-z]/.test(token) && /[A-Z]/.test(token);
}

function isKey(piece: string, before: string): boolean {
  const bare = piece.replace(/[/=]+$/, "").replace(FILE_ENDING, "");
  if (bare.length < 10 || UUID.test(bare) || ID.test(bare) || isNearlyOwnId(bare)) return false;
  if (HASH.test(bare)) return !CALLS_HASH.test(before) && !isFiledUnder(bare, before);
  const runs = runsOf(bare);
  if (runs.some(isDrawn)) return true;
  if (ISSUED_KEY.test(bare)) return !runs.every(isPlainRun) || bare.length > 24;
  const letters = runs.join("").length;
  return letters >= FEWEST_LETTERS && runs.filter(isOdd).join("").length >= letters / 2;
}

function isNearlyOwnId(bare: string): boolean {
  const digits = OWN_ID.exec(bare)?.[1];
  return digits !== undefined && digits.replaceAll(/[0-9a-f]/gi, "").length <= MOST_MISTYPED;
}

/** Too short to be recognised alone, but not a usual name. */
function isOdd(run: string): boolean {
  if (run.length < 3 || /^\d+$/.test(run)) return false;
  if (/\d/.test(run)) return !isPlainRun(run);
  return run.length / piecesOf(run).length < SHORTEST_CHANGES || !areReadableTogether(run);
}

/** A path that contains the hash of its file: `9f/9f86d0…`. */
function isFiledUnder(hash: string, before: string): boolean {
  const folder = /([0-9a-f]{2,})\/$/.exec(before)?.[1];
  return folder !== undefined && hash.startsWith(folder);
}

function endingOf(token: string): string {
  return FILE_ENDING.exec(token)?.[0] ?? "";
}

function runsOf(text: string): string[] {
  return text.match(/[A-Za-z0-9]+/g) ?? [];
}

/** Letters and digits alternate more often than in names. */
const SHORTEST_CHANGES = 2.9;

function isDrawn(run: string): boolean {
  if (run.length < 10 || /^\d+$/.test(run) || isPlainRun(run)) return false;
  const pieces = piecesOf(run);
  const words = pieces.filter((piece) => /[A-Za-z]/.test(piece));
  const numbers = pieces.length - words.length;
  if (run.length < 16) return numbers > 1 && /[a-z]/.test(run) && /[A-Z]/.test(run);
  if (words.join("").length <= 2 || (/^[0-9a-f]+$/.test(run) && run.length < 32)) return false;
  if (run.length / pieces.length < SHORTEST_CHANGES) return true;
  return !areReadableTogether(run);
}

function piecesOf(run: string): string[] {
  return run.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
}
