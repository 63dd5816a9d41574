import { messageOf } from "../errors.ts";

/** Why JSON could not be parsed. The parser quotes what it choked on, which may be a key or what agents said. */
export function jsonProblem(error: unknown): string {
  const message = messageOf(error);
  return error instanceof SyntaxError
    ? message.replace(/,? (\.{3})?".*/s, " makes it invalid JSON")
    : message;
}
