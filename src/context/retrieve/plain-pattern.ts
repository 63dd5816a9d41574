/**
 * Most search patterns are plain: a sequence of characters and classes, some of them repeated, where
 * each repetition ends at the first character that it cannot match. JavaScript's own engine gives the same results, never
 * backtracks, and is many times faster than an engine with guaranteed linear time.
 */

interface Atom {
  /** In JavaScript's syntax, with the flag `u`. */
  readonly source: string;
  readonly characters: Characters;
  readonly least: number;
  readonly most: number;
}

/** By ASCII code: whether the character is in the set. The last position stands for all other characters. */
type Characters = readonly boolean[];
const ASCII = 128;
const BEYOND = /[^\0-\x7f]/;
const LINE_FEED = 10;
type OneOf = Pick<Atom, "source" | "characters">;

/** Each start of a repetition may scan to the end of its line, so lines must not be long. */
const LONGEST_LINE = 1_000;

const TOKEN =
  /(?<any>\.)|\\(?<sign>[a-z]|[^\w\s])|\[(?<not>\^?)(?<members>(?:\\(?:[a-z]|[^\w\s])|[^\\[\]])+)\]|(?<literal>[^\\[\](){}*+?|^$.])/uy;
const QUANTIFIER = /\{(?<least>\d{1,3})(?<range>,(?<most>\d{0,3}))?\}|[*+?]/y;
const MEMBER = /(?:\\(?<sign>.)|(?<from>[^\\]))(?:-(?<to>[^\\]))?/uy;
const SETS: Readonly<Record<string, string>> = { d: "0-9", w: "0-9A-Za-z_", s: "\\t\\n\\f\\r\\u{20}" };
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Undefined if the pattern is not plain. */
export function plainPattern(source: string): PlainPattern | undefined {
  const atoms = atomsOf(source);
  if (atoms === undefined || atoms.every(({ least }) => least === 0)) return undefined;
  return atoms.every((atom, place) => endsByItself(atom, atoms.slice(place + 1)))
    ? new PlainPattern(atoms)
    : undefined;
}

class PlainPattern {
  readonly #expression: RegExp;
  readonly #runsOn: boolean;
  /** Consecutive matches are searched in the same text. */
  #last = { text: "", suits: true };

  constructor(atoms: readonly Atom[]) {
    this.#expression = new RegExp(atoms.map(written).join(""), "gu");
    this.#runsOn = atoms.some(({ most }) => most === Infinity);
  }

  /** Whether this text can be searched with it. */
  suits(text: string): boolean {
    if (!this.#runsOn) return true;
    if (text !== this.#last.text) this.#last = { text, suits: hasShortLines(text) };
    return this.#last.suits;
  }

  find(text: string, from: number): { readonly start: number; readonly end: number } | null {
    this.#expression.lastIndex = from;
    const found = this.#expression.exec(text);
    return found === null ? null : { start: found.index, end: this.#expression.lastIndex };
  }
}

function hasShortLines(text: string): boolean {
  for (let start = 0; text.length - start > LONGEST_LINE; ) {
    const end = text.lastIndexOf("\n", start + LONGEST_LINE);
    if (end < start) return false;
    start = end + 1;
  }
  return true;
}

/** The rest of the pattern never begins with a character that the repetition could have matched. */
function endsByItself({ characters, least, most }: Atom, following: readonly Atom[]): boolean {
  if (least === most) return true;
  if (most === Infinity && characters[LINE_FEED] === true) return false;
  for (const next of following) {
    if (next.characters.some((isOne, place) => isOne && characters[place] === true)) return false;
    if (next.least > 0) break;
  }
  return true;
}

function atomsOf(source: string): readonly Atom[] | undefined {
  const atoms: Atom[] = [];
  for (let place = 0; place < source.length; ) {
    TOKEN.lastIndex = place;
    const token = TOKEN.exec(source);
    const one = token === null ? undefined : charactersOf(token.groups ?? {});
    if (one === undefined) return undefined;
    place = TOKEN.lastIndex;
    QUANTIFIER.lastIndex = place;
    const quantifier = QUANTIFIER.exec(source);
    if (quantifier !== null) place = QUANTIFIER.lastIndex;
    atoms.push({ ...one, ...timesOf(quantifier) });
  }
  return atoms;
}

type Groups = Readonly<Record<string, string | undefined>>;

function charactersOf({ any, sign, not, members, literal }: Groups): OneOf | undefined {
  if (any !== undefined) return oneOf("^", "\\n");
  if (literal !== undefined) return only(literal);
  const given = members ?? sign ?? "";
  if (members === undefined && !/[a-z]/.test(given)) return only(given);
  const inside = members === undefined ? escaped(given) : membersOf(members);
  return inside === undefined ? undefined : oneOf(not ?? "", inside, BEYOND.test(given));
}

/** The content of a class; undefined if JavaScript might interpret it differently. */
function membersOf(members: string): string | undefined {
  let inside = "";
  for (let place = 0; place < members.length; ) {
    MEMBER.lastIndex = place;
    const { sign, from, to } = MEMBER.exec(members)?.groups ?? {};
    place = MEMBER.lastIndex;
    const first = sign === undefined ? character(from ?? "") : escaped(sign);
    if (first === undefined || (sign !== undefined && to !== undefined)) return undefined;
    inside += to === undefined ? first : `${first}-${character(to)}`;
  }
  return inside;
}

function escaped(sign: string): string | undefined {
  if (/[a-z]/.test(sign)) return SETS[sign] ?? (CONTROLS[sign] && character(CONTROLS[sign]));
  return character(sign);
}

function character(sign: string): string {
  return `\\u{${sign.codePointAt(0)?.toString(16)}}`;
}

function only(sign: string): OneOf {
  const code = Math.min(sign.codePointAt(0) ?? ASCII, ASCII);
  return {
    source: character(sign),
    characters: Array.from({ length: ASCII + 1 }, (_, place) => place === code),
  };
}

function oneOf(not: string, inside: string, isBeyond = false): OneOf {
  const source = `[${not}${inside}]`;
  const one = new RegExp(`^${source}$`, "u");
  const ascii = Array.from({ length: ASCII }, (_, code) => one.test(String.fromCharCode(code)));
  return { source, characters: [...ascii, isBeyond || not !== ""] };
}

function timesOf(quantifier: RegExpExecArray | null): Pick<Atom, "least" | "most"> {
  if (quantifier === null) return { least: 1, most: 1 };
  const { least, range, most } = quantifier.groups ?? {};
  if (least === undefined)
    return { least: quantifier[0] === "+" ? 1 : 0, most: quantifier[0] === "?" ? 1 : Infinity };
  return { least: Number(least), most: range === undefined ? Number(least) : Number(most || Infinity) };
}

function written({ source, least, most }: Atom): string {
  if (least === 1 && most === 1) return source;
  return `${source}{${least},${most === Infinity ? "" : most}}`;
}
