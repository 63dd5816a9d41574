/**
 * Resolves short ids: `4c1`, `conv_4c1`, `msg_4c1_3` or `sum_9f0`. The first digits, at least three, are enough if they
 * identify one object. A complete session id takes precedence.
 */
import { type Engine, internalsOf } from "../engine.ts";
import { PalimpsestError } from "../errors.ts";
import { idIn, messageId } from "../text/identifiers.ts";
import type { Setup } from "./setup.ts";

type Prefix = "conv" | "sum" | "file" | "mem";

/** Fields of inputs that take ids, with what a bare number of digits may name there. */
const NAMED_BY: Readonly<Record<string, readonly Prefix[]>> = {
  conversation: ["conv"],
  conversations: ["conv"],
  summary: ["sum"],
  summaryIds: ["sum"],
  id: ["conv", "sum", "file", "mem"],
};

const MOST_MEMORIES = 200;
const FEWEST_DIGITS = 3;
const SHORT = /^(?:(conv|msg|sum|file|mem)_)?([0-9a-f]{1,16})(?:_([1-9]\d{0,8}))?$/i;

/**
 * Replaces short ids with full ones. Unknown ids are unchanged, so that the operation reports them. An operation
 * that makes its store takes no ids from it.
 */
export async function withWholeIds(
  { makesStore }: { readonly makesStore?: true },
  on: Engine | Setup,
  input: object,
): Promise<object> {
  if (makesStore === true || !("config" in on)) return input;
  const fields = await Promise.all(
    Object.entries<unknown>({ ...input }).map(async ([field, value]) => {
      const prefixes = NAMED_BY[field];
      if (prefixes === undefined) return [field, value] as const;
      const whole = (text: unknown) => (typeof text === "string" ? wholeId(on, text, prefixes) : text);
      return [field, await (Array.isArray(value) ? Promise.all(value.map(whole)) : whole(value))] as const;
    }),
  );
  return Object.fromEntries(fields);
}

const WHOLE = /^(?:conv|msg|sum|file|mem)_[0-9a-f]{16}(?:_\d+)?$/;

async function wholeId(engine: Engine, text: string, prefixes: readonly Prefix[]): Promise<string> {
  if (WHOLE.test(text)) return text;
  const [, prefix, digits = "", seq] = SHORT.exec(idIn(text)) ?? [];
  if (digits === "" || (await isSession(engine, text))) return text;
  if (digits.length < FEWEST_DIGITS) {
    if (prefix === undefined) return text;
    throw new PalimpsestError("invalid-input", `${text} is too short for an id`, {
      advice: `Type at least ${FEWEST_DIGITS} digits after ${prefix}_.`,
    });
  }
  const isMessage = prefix === "msg" || (prefix === undefined && seq !== undefined);
  if (isMessage !== (seq !== undefined)) return text;
  const kinds = isMessage ? ["conv"] : prefix === undefined ? prefixes : [prefix];
  const found = (await Promise.all(kinds.map((kind) => idsBeginning(engine, `${kind}_${digits}`)))).flat();
  const [only, ...others] = found;
  if (only === undefined) return text;
  if (others.length > 0)
    throw new PalimpsestError("invalid-input", `${text} matches ${found.length} ids`, {
      advice: `Type more digits: ${found.slice(0, 5).join(", ")}${found.length > 5 ? ", …" : ""}`,
    });
  return isMessage ? messageId(only, Number(seq)) : only;
}

async function isSession(engine: Engine, text: string): Promise<boolean> {
  const address = { sessionId: text, sessionKey: null };
  return (await internalsOf(engine).conversations.conversation(address)) !== undefined;
}

/** Ids that begin with this text, for completion: without any, those of conversations, last changed first. */
export async function idsBeginning(engine: Engine, text: string): Promise<readonly string[]> {
  const { conversations } = internalsOf(engine);
  if (text.startsWith("mem_")) return memoriesBeginning(engine, text);
  if (!text.startsWith("msg_")) return conversations.idsBeginning(text === "" ? "conv_" : text);
  const found = await conversations.idsBeginning(text.replace("msg_", "conv_"));
  return found.map((id) => `${id.replace("conv_", "msg_")}_`);
}

/** Searches the newest memories. */
async function memoriesBeginning(engine: Engine, text: string): Promise<readonly string[]> {
  const { rows } = await engine.memory.list({
    limit: MOST_MEMORIES,
    states: ["active", "superseded", "archived"],
  });
  return rows.map(({ id }) => id).filter((id) => id.startsWith(text));
}
