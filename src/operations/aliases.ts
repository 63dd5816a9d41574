/**
 * Argument names of other systems' tools. Calls with these names are accepted, but schemas do not list them,
 * so that each argument has one name. If both are given, ours is used.
 */

export interface Alias {
  /** Its meaning, for the reference page. */
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

/** Ids are looked up in all conversations, and searches cover all of them by default. */
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
