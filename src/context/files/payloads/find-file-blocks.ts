/**
 * The `<file name="…" mime="…">…</file>` blocks in a text. Opening and closing tags are counted, so that a file which
 * contains blocks is one block. An unclosed opening tag is normal text, and so is a closing tag without an
 * opening one. Each character is read a bounded number of times, for any text.
 */

export interface FileBlock {
  /** Positions of the whole block, tags included. */
  readonly start: number;
  readonly end: number;
  readonly contentStart: number;
  readonly contentEnd: number;
  readonly name: string;
  readonly mime: string | null;
}

interface Opening {
  readonly start: number;
  readonly end: number;
  /** Null for a tag that is counted but attaches no file. */
  readonly name: string | null;
  readonly mime: string | null;
}

const CLOSING = /^<\/file\s{0,100}>/i;
const LONGEST_CLOSING = 120;

/** In the order of the text, not nested. */
export function findFileBlocks(text: string): FileBlock[] {
  const open: Opening[] = [];
  const closed: FileBlock[] = [];
  for (let at = nextTag(text, 0); at >= 0; ) {
    const end =
      text.charCodeAt(at + 1) === 47 ? readClosing(text, at, open, closed) : readOpening(text, at, open);
    at = nextTag(text, end);
  }
  return outermost(closed);
}

const TAG = /<\/?file/gi;

/** The next `<file` or `</file`, ignoring case. */
function nextTag(text: string, from: number): number {
  TAG.lastIndex = from;
  return TAG.exec(text)?.index ?? -1;
}

function readOpening(text: string, at: number, open: Opening[]): number {
  const tag = parseFileTag(text, at);
  if (tag === null) return at + 1;
  if (!tag.isEmpty) open.push({ start: at, end: tag.end, name: tag.name, mime: tag.mime });
  return tag.end;
}

function readClosing(text: string, at: number, open: Opening[], closed: FileBlock[]): number {
  const closing = CLOSING.exec(text.slice(at, at + LONGEST_CLOSING))?.[0];
  if (closing === undefined) return at + 1;
  const end = at + closing.length;
  const opening = open.pop();
  if (opening !== undefined && opening.name !== null)
    closed.push({
      ...{ start: opening.start, end, contentStart: opening.end, contentEnd: at },
      ...{ name: opening.name, mime: opening.mime },
    });
  return end;
}

/** Blocks end in order, and an outer one ends after those inside it. */
function outermost(closed: readonly FileBlock[]): FileBlock[] {
  const blocks: FileBlock[] = [];
  for (const block of closed) {
    while ((blocks.at(-1)?.start ?? -1) > block.start) blocks.pop();
    blocks.push(block);
  }
  return blocks;
}

/** The opening tag of a `<file>` block: its end, and the name and type in its attributes. */
interface FileTag {
  /** The position after the `>`. */
  readonly end: number;
  /** Null if the tag names no file. */
  readonly name: string | null;
  readonly mime: string | null;
  /** `<file … />` has no content. */
  readonly isEmpty: boolean;
}

/** Longer text is not a tag. */
const LONGEST_TAG = 4_096;
/** Attributes that hosts use for the name of a file and its type, the most reliable first. */
const NAMES = ["name", "filename", "path", "src"];
const TYPES = ["mime", "type"];
const ATTRIBUTE = /\s+([\w:.-]{1,100})(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+)))?/y;
const END = /\s*(\/?)>/y;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi;

/** Null for text that begins like a tag but is not one. */
function parseFileTag(text: string, at: number): FileTag | null {
  const tag = text.slice(at, at + tagLength(text, at));
  const attributes = new Map<string, string>();
  let end = "<file".length;
  ATTRIBUTE.lastIndex = end;
  for (let found = ATTRIBUTE.exec(tag); found !== null; found = ATTRIBUTE.exec(tag)) {
    const [, given = "", double, single, bare] = found;
    const name = given.toLowerCase();
    if (!attributes.has(name)) attributes.set(name, readEntities(double ?? single ?? bare ?? ""));
    end = ATTRIBUTE.lastIndex;
  }
  END.lastIndex = end;
  const closing = END.exec(tag);
  if (closing === null) return null;
  return {
    end: at + END.lastIndex,
    name: firstOf(NAMES, attributes),
    mime: firstOf(TYPES, attributes),
    isEmpty: closing[1] === "/",
  };
}

function firstOf(names: readonly string[], attributes: ReadonlyMap<string, string>): string | null {
  const found = names.find((name) => attributes.has(name));
  return found === undefined ? null : (attributes.get(found) ?? null);
}

/** Up to the `>` outside of quotes, or to the position where a tag is ruled out. */
function tagLength(text: string, at: number): number {
  let quote = "";
  const last = Math.min(text.length, at + LONGEST_TAG);
  for (let i = at + 1; i < last; i++) {
    const sign = text.charAt(i);
    if (quote !== "") {
      if (sign === quote) quote = "";
    } else if (sign === ">") return i + 1 - at;
    else if (sign === "<") return 0;
    else if (sign === '"' || sign === "'") quote = sign;
  }
  return 0;
}

function readEntities(value: string): string {
  if (!value.includes("&")) return value;
  return value.replace(ENTITY, (whole: string, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
      ? String.fromCodePoint(code)
      : whole;
  });
}
