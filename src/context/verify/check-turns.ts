/** Checks that every stored turn has its messages. */
import type { RowCheck } from "./integrity.ts";

export const checkTurns: RowCheck = {
  name: "turns",
  start: ({ messageCount }, report) => ({
    turn: ({ key, firstSeq, messageCount: size }) => {
      if (size < 1 || firstSeq < 1 || firstSeq > messageCount)
        report({ seq: firstSeq, message: `turn "${key}" points to messages that do not exist` });
    },
  }),
};
