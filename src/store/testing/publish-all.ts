import { DEFAULT_SCOPE } from "../../types.ts";
import type { Store } from "../store.ts";
import { conversationIdFor, sampleAppend, sampleMessage, samplePublish, sampleSummary } from "./sample.ts";

/** A conversation in which each message is replaced by a summary with one of these texts. Returns their ids. */
export async function publishAll(store: Store, texts: readonly string[]): Promise<string[]> {
  const scoped = store.scoped(DEFAULT_SCOPE);
  await scoped.commit([
    sampleAppend(
      "summarised",
      texts.map((_, i) => sampleMessage(`k${i + 1}`)),
    ),
  ]);
  const summaries = texts.map((content, i) => ({ ...sampleSummary([i + 1]), content }));
  for (const summary of summaries)
    await scoped.commit([samplePublish(conversationIdFor("summarised"), summary)]);
  return summaries.map(({ id }) => id);
}
