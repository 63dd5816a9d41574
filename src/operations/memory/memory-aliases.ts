/** Argument names of memory-lancedb-pro that differ from ours. */
import { type Alias, type Aliases, renamed } from "../aliases.ts";

/** Its older categories; its `fact` and `other` are classified by their words. */
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

/** Our name with their older values. */
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
