import { PalimpsestError } from "../../errors.ts";

/** Another process was faster. Planning again is safe. */
export function overtaken(why: string): PalimpsestError {
  return new PalimpsestError("busy", `memory changed meanwhile: ${why}`, {
    advice: "Read it again and decide again; nothing was written.",
  });
}

export function deletedConversation(id: string): PalimpsestError {
  return new PalimpsestError("not-found", `conversation ${id} was deleted`, {
    advice: "Memories can no longer be captured from it; nothing was written.",
  });
}
