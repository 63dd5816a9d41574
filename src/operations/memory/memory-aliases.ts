/** Names that agents know from memory-lancedb-pro, where the same thing is called otherwise here. */
import { type Alias, type Aliases, renamed } from "../aliases.ts";

/** Its older categories; what it calls a fact or other is told by the words. */
const OLD_CATEGORIES: Readonly<Record<string, string>> = {
  preference: "preferences",
  entity: "entities",
  decision: "events",
  reflection: "patterns",
};
const UNTOLD: ReadonlySet<unknown> = new Set(["fact", "other"]);

function categoryOf(value: unknown): unknown {
  return OLD_CATEGORIES[String(value)] ?? value;
}

/** Our own name with the older values of theirs. */
const ONE_CATEGORY: Alias = {
  means: "also with `preference`, `entity`, `decision`, `reflection`, `fact` and `other`",
  toInput: (value) => (UNTOLD.has(value) ? {} : { category: categoryOf(value) }),
};

const CATEGORIES: Alias = {
  means: "`categories`, with one",
  toInput: (value) => (UNTOLD.has(value) ? {} : { categories: [categoryOf(value)] }),
};

const SCOPES: Alias = { means: "`scopes`, with one", toInput: (value) => ({ scopes: [value] }) };

export const NO_MEANING: Alias = { means: "ignored: this is the default", toInput: () => ({}) };

export const STORE_ALIASES: Aliases = { category: ONE_CATEGORY };
export const CHANGE_ALIASES: Aliases = { memoryId: renamed("id"), category: ONE_CATEGORY };
export const FORGET_ALIASES: Aliases = { memoryId: renamed("id") };
export const LIST_ALIASES: Aliases = { scope: SCOPES, category: CATEGORIES };
export const RECALL_ALIASES: Aliases = {
  ...LIST_ALIASES,
  includeFullText: renamed("full"),
  maxCharsPerItem: NO_MEANING,
};
