/**
 * Preferences for two things of the same maker are separate: fries and burgers of one restaurant must not replace each
 * other, although their vectors are similar. If both can be parsed as maker and thing, and only the thing differs, the new one
 * is kept beside the old one without asking a model.
 */
interface PreferenceSlot {
  readonly brand: string;
  readonly item: string;
}

const LIKES = "[Ll]ikes?|[Ll]oves?|[Pp]refers?|[Ee]njoys?|[Aa]dores?|[Oo]rders?";
const RULES: readonly RegExp[] = [
  new RegExp(
    `(?:${LIKES}) (?:the )?(?<item>[^.,;]{2,50}?) (?:from|by|at) (?<brand>[^.,;]{2,40}?)[.!]?$`,
    "iu",
  ),
  new RegExp(`(?:${LIKES}) (?<brand>\\p{Lu}[^.,;]{1,40}?)['’]s? (?<item>[^.,;]{2,50}?)[.!]?$`, "u"),
  /(?:mag|liebt|bevorzugt) (?:das |die |den )?(?<item>[^.,;]{2,50}?) (?:von|bei) (?<brand>[^.,;]{2,40}?)[.!]?$/iu,
  /(?:aime|adore|préfère) (?:le |la |les )?(?<item>[^.,;]{2,50}?) (?:de )?chez (?<brand>[^.,;]{2,40}?)[.!]?$/iu,
  /(?:喜欢|爱吃|爱喝|偏好)(?:吃|喝|用)?(?<brand>[^的，。]{1,20})的(?<item>[^，。]{1,30})[。]?$/u,
  /^(?:ユーザーは|私は)?(?<brand>[^のが、。]{1,20})の(?<item>[^が、。]{1,30})が(?:大)?好き/u,
  /(?<brand>\S{1,20})의 (?<item>[^,.]{1,30}?)[을를이가] (?:좋아|선호)/u,
];

export function readPreferenceSlot(text: string): PreferenceSlot | null {
  const plain = text.normalize("NFKC").replaceAll(/\s+/g, " ").trim();
  for (const rule of RULES) {
    const { brand, item } = rule.exec(plain)?.groups ?? {};
    if (brand !== undefined && item !== undefined) return { brand: folded(brand), item: folded(item) };
  }
  return null;
}

interface SlotComparison {
  /** The new preference is kept beside the old one. */
  readonly isOtherItem: boolean;
  readonly reason: string;
}

export function compareSlots(candidate: string, existing: string): SlotComparison {
  const [a, b] = [readPreferenceSlot(candidate), readPreferenceSlot(existing)];
  if (a === null || b === null) return { isOtherItem: false, reason: "No brand and item to compare." };
  if (a.brand !== b.brand) return { isOtherItem: false, reason: "The brands differ; the judge decides." };
  if (a.item === b.item) return { isOtherItem: false, reason: "The same item of the same brand." };
  return { isOtherItem: true, reason: `Two items of ${a.brand}: ${a.item} and ${b.item}.` };
}

function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/^(?:the|a|an) /, "")
    .trim();
}
