/** Blocks that hosts put around and before what a person says, such as `<environment_context>` and `<system-reminder>`. */
const HOST_BLOCK = /^\s*<([a-z][a-z_-]*)>[\s\S]*?<\/\1>/;
/** Instructions of a project and skills that a host sends in the person's name, and a command to the host itself. */
const HOST_TEXT =
  /^\s*(?:# AGENTS\.md\b|Base directory for this skill:|\[Request interrupted by user[^\]\n]*\]\s*$|\/[a-z][\w:-]*\s*$)/;

/** What a person said in a message that a host sent in their name; empty when all of it is the host's. */
export function withoutHostText(given: string): string {
  let text = given;
  for (let block = HOST_BLOCK.exec(text); block !== null; block = HOST_BLOCK.exec(text))
    text = text.slice(block[0].length);
  return HOST_TEXT.test(text) ? "" : text;
}
