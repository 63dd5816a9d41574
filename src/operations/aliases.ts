/**
 * Argument names of other systems' tools. A model that has learnt those is understood; they are not in any schema,
 * so that there is one name to learn here. If both are given, ours counts.
 */

export interface Alias {
  /** What it stands for, for the reference page. */
  readonly means: string;
  toInput(value: unknown): object;
}

export type Aliases = Readonly<Record<string, Alias>>;

export function renamed(name: string): Alias {
  return { means: `\`${name}\``, toInput: (value) => ({ [name]: value }) };
}

export const CONVERSATION_ID: Alias = {
  means: "`conversations`, with one",
  toInput: (value) => ({ conversations: [String(value)] }),
};

/** An id is looked for in all of them, and searches go over all that are not narrowed down. */
export const ALL_CONVERSATIONS: Alias = { means: "ignored: this is the default", toInput: () => ({}) };
export const ANY_CONVERSATION: Alias = {
  means: "ignored: ids are unique",
  toInput: () => ({}),
};

export function withoutAliases(aliases: Aliases, given: object): object {
  const entries = Object.entries(given);
  const translated = entries.flatMap(([name, value]) => aliases[name]?.toInput(value) ?? []);
  const own = entries.filter(([name]) => aliases[name] === undefined);
  return Object.assign({}, ...translated, Object.fromEntries(own));
}
