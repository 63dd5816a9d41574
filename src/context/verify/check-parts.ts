/** Checks that the shape index of each message matches its content. */
import { isDeepStrictEqual } from "node:util";
import { isPalimpsestError } from "../../errors.ts";
import { indexParts } from "../../message/read-parts.ts";
import { partsOf } from "../../message/stored-value.ts";
import type { RowCheck } from "./integrity.ts";

export const checkParts: RowCheck = {
  name: "parts",
  start: (_, report) => ({
    message: ({ seq, content, format, parts }) => {
      if (content === null) return;
      try {
        const expected = indexParts(partsOf(format, content));
        if (!isDeepStrictEqual(expected, parts))
          report({
            seq,
            message: "its indexed parts do not match its content",
            repair: { kind: "rewrite-parts", seq, parts: expected },
          });
      } catch (error) {
        if (!isPalimpsestError(error)) throw error;
        report({ seq, message: error.message });
      }
    },
  }),
};
