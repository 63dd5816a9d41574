import { messageOf } from "../errors.ts";

/** Why JSON could not be parsed. The parser's message quotes the input, which may be a key or message text, so it is not used. */
export function jsonProblem(error: unknown): string {
  const message = messageOf(error);
  return error instanceof SyntaxError
    ? message.replace(/,? (\.{3})?".*/s, " makes it invalid JSON").replaceAll("\n", "\\n")
    : message;
}
