/** The labels of one session beside this file, with the words that they mark: the words are cut from the transcript. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Message, textOfParts } from "../../src/index.ts";

const labelSchema = z.strictObject({
  /** Number of the line in the transcript, from 1. */
  entry: z.string().regex(/^\d+$/),
  category: z.enum(["preferences", "profile", "entities", "correction", "decision", "fact", "rule"]),
  /** In UTF-16 code units of the message's text. */
  start: z.int().min(0),
  end: z.int().min(1),
});
const fileSchema = z.strictObject({
  sessions: z.record(
    z.string(),
    z.strictObject({ heldOut: z.boolean(), labels: z.array(labelSchema).readonly() }),
  ),
});

export type LabelledSession = z.infer<typeof fileSchema>["sessions"][string];

export interface Label {
  readonly seq: number;
  readonly text: string;
}

/** By the session's file, relative to the folder of all sessions. */
export function readLabels(): ReadonlyMap<string, LabelledSession> {
  const text = readFileSync(new URL("capture.json", import.meta.url), "utf8");
  return new Map(Object.entries(fileSchema.parse(JSON.parse(text)).sessions));
}

/** Throws when the transcript is not the one that was labelled. */
export function locateLabels(
  { labels }: LabelledSession,
  file: string,
  messages: readonly Message[],
): readonly Label[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return labels.map(({ entry, start, end }) => {
    const line = lines[Number(entry) - 1];
    const message = messages.find(({ original }) => original === line);
    const text = message === undefined ? "" : textOfParts(message.parts);
    if (message === undefined || start >= end || end > text.length)
      throw new Error(`line ${entry} of ${file} does not have a labelled text from ${start} to ${end}`);
    return { seq: message.seq, text: text.slice(start, end) };
  });
}
