/**
 * The subject of a preference or a fact about a thing, so that a newer value can replace an older one. A key that is
 * too wide is dangerous, since only one memory per key is current: where no rule fits safely, there is no key.
 */
import { MEMORY_CATEGORIES, type MemoryCategory } from "../../memory-types.ts";
import { collapseSpaces } from "../../text/spaces.ts";

interface FactKey {
  /** `preferences:editor` */
  readonly key: string;
  readonly value: string;
  readonly rule: "label" | "arrow" | "favourite" | "over" | "attribute";
}

/** Categories whose facts are replaced by newer values. */
const KEYED_CATEGORIES: ReadonlySet<MemoryCategory> = new Set(["preferences", "entities"]);

const LONGEST = 120;
const MOST_WORDS = 10;

const ARROW = /^(.+?)\s*(?:->|=>|→)\s*(\S.*)$/u;
/** Not the colon of an address, a time, a ratio or a path. */
const LABEL = /^([^:：]+?)\s*(?:：|:(?=\s))\s*(\S.*)$/u;
/** A sentence before the colon is not a label. */
const SENTENCE =
  /[.!?。！？;；]|^(?:i|we|he|she|they|it|you|ich|wir|er|sie|je|nous|yo|eu|io|я|мы|我|私|나는)(?!\p{L})/iu;

/** `My favourite X is Y`, in several wordings; the first group is the subject. */
const FAVOURITE: readonly RegExp[] = [
  /^(?:my|the user's|user's|his|her|their) (?:absolute |all-time )?(?:favou?rite|preferred) (.{2,40}?) is (?:now |still )?(\S.*)$/iu,
  /^(?:mein|meine) lieblings(\p{L}{2,40}) (?:ist|heißt) (\S.*)$/iu,
  /^(?:mon|ma) (.{2,40}?) préférée? est (\S.*)$/iu,
  /^(?:mi|meu|minha|il mio|la mia) (.{2,40}?) (?:favorit[oa]|preferid[oa]|preferit[oa]) (?:es|é|è) (\S.*)$/iu,
  /^(?:мой|моя|моё|мое) любим(?:ый|ая|ое) (.{2,40}?)\s*[—–-]\s*(\S.*)$/iu,
  /^(?:我|用户)最喜欢的([^是的]{1,12})是(\S.*)$/u,
  /^(?:私の)?(?:一番)?好きな([^は、]{1,12})は(.+?)(?:です|だ)?[。.]?$/u,
  /^(?:내가 )?(?:가장 |제일 )?좋아하는 (\S{1,12}?)(?:은|는) (.+?)(?:이다|예요|이에요|입니다|야)?[.]?$/u,
];

/** `prefers X over Y as editor`, `uses X as his shell`. */
const OVER =
  /^(?:the )?(?:user |i )?(?:prefers?|uses?|chose|chooses?) (.+?)(?: (?:over|to|instead of|rather than) .+?)? as (?:a |an |the |my |his |her |their )?(?:main |default |preferred |favou?rite )?(\p{L}[\p{L} -]{1,38})[.!]?$/iu;

/** Things of which there is one at a time. */
const ATTRIBUTES =
  "phone|phone number|telephone number|email|email address|address|birthday|date of birth|employer|job title|title|role|manager|boss|owner|maintainer|version|port|deadline|due date|location|headquarters|ceo|capital";
const ATTRIBUTE = new RegExp(
  `^(?:the )?(\\p{L}[\\p{L}\\p{N} ._-]{0,40}?)['’]s (?:new |current )?(${ATTRIBUTES}) (?:is|was changed to|has changed to) (?:now |still )?(\\S.*)$`,
  "iu",
);

export function factKeyOf(category: MemoryCategory, abstract: string): FactKey | null {
  if (!KEYED_CATEGORIES.has(category)) return null;
  const text = collapseSpaces(abstract.normalize("NFC").replaceAll(/[*_`]{1,2}/g, "")).trim();
  return arrowKey(category, text) ?? sentenceKey(category, text) ?? labelKey(category, text);
}

function arrowKey(category: MemoryCategory, text: string): FactKey | null {
  const [, about, value] = ARROW.exec(text) ?? [];
  return about === undefined || value === undefined ? null : made(category, about, value, "arrow");
}

function labelKey(category: MemoryCategory, text: string): FactKey | null {
  const [, about, value] = LABEL.exec(text) ?? [];
  if (about === undefined || value === undefined || SENTENCE.test(about)) return null;
  return made(category, about, value, "label");
}

function sentenceKey(category: MemoryCategory, text: string): FactKey | null {
  if (category === "entities") {
    const [, owner, attribute, value] = ATTRIBUTE.exec(text) ?? [];
    return owner === undefined || attribute === undefined || value === undefined
      ? null
      : made(category, `${owner} ${attribute}`, value, "attribute");
  }
  for (const rule of FAVOURITE) {
    const [, about, value] = rule.exec(text) ?? [];
    if (about !== undefined && value !== undefined) return made(category, about, value, "favourite");
  }
  const [, value, about] = OVER.exec(text) ?? [];
  return about === undefined || value === undefined ? null : made(category, about, value, "over");
}

/** Words for the owner or for "preferred", which the key leaves out. */
const WORN =
  /^(?:(?:the )?user(?:['’]s)? |my |his |her |their |the |preferred |favou?rite |用户的?|我的|偏好的?|首选)+(?=\S)/iu;

function made(category: MemoryCategory, about: string, value: string, rule: FactKey["rule"]): FactKey | null {
  const name = about
    .normalize("NFKC")
    .toLowerCase()
    .replace(WORN, "")
    .replaceAll(/^["'“”‘’([\s-]+|["'“”‘’)\]\s.,-]+$/gu, "");
  if (!/\p{L}/u.test(name) || name.length > LONGEST || name.split(" ").length > MOST_WORDS) return null;
  return { key: `${category}:${name}`, value: value.replace(/[.。\s]+$/u, ""), rule };
}

/** A key as a caller gives it, in the form in which keys are stored. */
export function plainKey(given: string): string {
  return given.normalize("NFKC").toLowerCase();
}

const CATEGORY = new RegExp(`^(?:${MEMORY_CATEGORIES.join("|")}):`);

/** A key without its category: `editor` of `preferences:editor`. */
export function keyName(factKey: string): string {
  return factKey.replace(CATEGORY, "");
}

export interface Keyed {
  readonly factKey: string | null;
  readonly category: MemoryCategory;
}

/**
 * The key with the memory's own category. A key is stored with the category of its first value, and a later value may
 * have another category.
 */
export function shownKey({ factKey, category }: Keyed): string | null {
  return factKey !== null && CATEGORY.test(factKey) ? `${category}:${keyName(factKey)}` : factKey;
}
