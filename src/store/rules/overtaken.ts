import { PalimpsestError } from "../../errors.ts";

/** Somebody else was faster. Planning again is safe. */
export function overtaken(why: string): PalimpsestError {
  return new PalimpsestError("busy", `memory has moved on: ${why}`, {
    advice: "Read it again and decide anew; nothing was written.",
  });
}

export function deletedConversation(id: string): PalimpsestError {
  return new PalimpsestError("not-found", `conversation ${id} was deleted`, {
    advice: "Nothing is remembered from it any more; nothing was written.",
  });
}
