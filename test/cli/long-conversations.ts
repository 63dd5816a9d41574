/** Conversations that are long enough to be compacted, and the settings by which that happens soon. */
import { said } from "./transcripts.ts";

/** Small chunks and a short tail: a few messages are enough for every kind of pass. */
export const SMALL_CHUNKS = {
  LCM_LEAF_CHUNK_TOKENS: "1500",
  LCM_FRESH_TAIL_COUNT: "4",
  LCM_LEAF_MIN_FANOUT: "3",
  LCM_CONDENSED_MIN_FANOUT: "2",
};

export const DECISION = "The team decided to keep the port 8443 in config/app.yaml.";

/** Turns of about 300 tokens about one decision. */
export function longConversation(turns: number, start = 0): object[] {
  return Array.from({ length: turns }, (_, index) => {
    const turn = start + index + 1;
    const talk = Array.from(
      { length: 12 },
      (_unused, line) => `We talked about the weather again, part ${line}.`,
    );
    return [
      said("user", `Question ${turn}. ${DECISION} ${talk.join(" ")}`, `u${turn}`),
      said("assistant", `Answer ${turn}. ${DECISION} ${talk.join(" ")}`, `a${turn}`),
    ];
  }).flat();
}
