import { PalimpsestError } from "../../errors.ts";
import { isStorableText } from "../../text/utf8.ts";

export const KEY_LIMIT = 512;

/** Names (keys, session ids, titles) are short and storable on every engine. */
export function requireName(what: string, name: unknown): asserts name is string {
  if (typeof name !== "string" || name === "" || name.length > KEY_LIMIT || !isStorableText(name))
    throw new PalimpsestError(
      "invalid-input",
      `${what} must be text of 1 to ${KEY_LIMIT} characters without NUL or unpaired surrogates`,
    );
}
