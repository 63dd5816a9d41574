import { hideCredentials } from "../text/credentials/hide-credentials.ts";
import type { Part, Role } from "../types.ts";

/** The first line of the first user message, without credentials: the default title. */
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

/** Blocks that hosts put before or around a person's text, such as `<environment_context>` and `<system-reminder>`. */
const HOST_BLOCK = /^\s*<([a-z][a-z_-]*)>[\s\S]*?<\/\1>/;
/** Project instructions and skills that a host sends as the user, and commands to the host itself. */
const HOST_TEXT =
  /^\s*(?:# AGENTS\.md\b|Base directory for this skill:|\[Request interrupted by user[^\]\n]*\]\s*$|\/[a-z][\w:-]*\s*$)/;

/** The person's text in a message that a host sent as the user; empty if all of it is the host's. */
export function withoutHostText(given: string): string {
  let text = given;
  for (let block = HOST_BLOCK.exec(text); block !== null; block = HOST_BLOCK.exec(text))
    text = text.slice(block[0].length);
  return HOST_TEXT.test(text) ? "" : text;
}
