/** A message's original, put together from what is left of it and what was cut out of it, or references to that. */
import { isPalimpsestError, PalimpsestError } from "../errors.ts";
import { messageId } from "../text/identifiers.ts";
import { type Shown, withDescriptions } from "./file-row.ts";
import type { StoredFile } from "./file-store.ts";
import { type Filling, fillPayloads } from "./payloads.ts";

/** Places that cannot be right are an error, or where what is damaged is left out, all payloads are. */
export function fillOriginal(
  rest: Uint8Array,
  files: readonly StoredFile[],
  fillings: readonly Filling[],
  shown: Shown,
): Uint8Array {
  try {
    return withDescriptions(fillPayloads(rest, files, fillings), files, shown);
  } catch (error) {
    if (!isPalimpsestError(error, "store-corrupt")) throw error;
    if (shown.payloads === "sound" || shown.payloads === "search") return rest;
    const [{ conversation, seq } = { conversation: "", seq: 0 }] = files;
    throw new PalimpsestError("store-corrupt", `${messageId(conversation, seq)}: ${error.message}`, {
      advice: "List what is damaged with: lcm verify",
      cause: error,
    });
  }
}
