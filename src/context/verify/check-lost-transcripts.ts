/** Checks that no lines belong to a missing transcript: they could not be exported, and a backup would not contain them. */
import { counted } from "../../text/counted.ts";
import type { StoreCheck } from "./integrity.ts";

export const checkLostTranscripts: StoreCheck = {
  name: "transcripts",
  run: async (scoped, { id }, report) => {
    for (const { number, lineCount, sharedLines } of await scoped.lostTranscripts(id))
      report({
        message: `transcript ${number} is missing; ${counted(lineCount - sharedLines, "line")} of it are readable`,
        repair: { kind: "restore-transcripts" },
      });
  },
};
