/** The opening tag of a `<file>` block: where it ends, and the name and type in its attributes. */
interface FileTag {
  /** Behind the `>`. */
  readonly end: number;
  /** Null when the tag names no file. */
  readonly name: string | null;
  readonly mime: string | null;
  /** `<file … />` has no content. */
  readonly isEmpty: boolean;
}

/** No tag is longer: what is would not be one. */
const LONGEST_TAG = 4_096;
/** What hosts call the name of a file and its type, the surest first. */
const NAMES = ["name", "filename", "path", "src"];
const TYPES = ["mime", "type"];
const ATTRIBUTE = /\s+([\w:.-]{1,100})(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+)))?/y;
const END = /\s*(\/?)>/y;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi;

/** Null for what begins like a tag but is none. */
export function parseFileTag(text: string, at: number): FileTag | null {
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

/** To the `>` outside of quotes, or to where it is certain that there is none. */
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
