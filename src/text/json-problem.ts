import { messageOf } from "../errors.ts";

/** Why JSON could not be parsed. The parser quotes what it choked on; what agents said does not belong there. */
export function jsonProblem(error: unknown): string {
  return messageOf(error).replace(/, (\.\.\.)?".*/s, "");
}
