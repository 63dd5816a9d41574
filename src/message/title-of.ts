import { hideCredentials } from "../text/credentials/hide-credentials.ts";
import type { Part, Role } from "../types.ts";
import { withoutHostText } from "./host-text.ts";

/** The first line of the first thing the user said, without credentials: a title until somebody gives a better one. */
export function titleOf(
  messages: readonly { readonly role: Role; readonly parts: readonly Part[] }[],
): string | null {
  for (const message of messages) {
    if (message.role !== "user") continue;
    for (const part of message.parts) {
      const line = part.type === "text" && part.synthetic !== true ? firstLine(part.text) : "";
      if (line !== "") return line;
    }
  }
  return null;
}

const TITLE_LENGTH = 80;

function firstLine(given: string): string {
  const text = withoutHostText(given);
  const line =
    text.trimStart().slice(0, 400).split("\n", 1)[0]?.replaceAll("\0", "").toWellFormed().trim() ?? "";
  const shown = hideCredentials(line);
  const characters = [...shown];
  return characters.length <= TITLE_LENGTH ? shown : `${characters.slice(0, TITLE_LENGTH - 1).join("")}…`;
}
