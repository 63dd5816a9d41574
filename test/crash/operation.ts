/** What the killed process does, in words that fit on one line: it says what it is about to do, and what is done. */
import { rmSync } from "node:fs";
import type { Engine } from "../../src/index.ts";
import { isPalimpsestError } from "../../src/index.ts";
import { saidUnderKey } from "./said-under-key.ts";
import { readTranscript, transcriptPath } from "./transcript-file.ts";

export type Operation =
  /** Commits the turn to the session, which opens a conversation when it has none. */
  | { readonly kind: "commit"; readonly session: string; readonly key: string }
  /** Commits a turn again that the conversation has. */
  | { readonly kind: "replay"; readonly conversation: string; readonly key: string }
  | { readonly kind: "import"; readonly transcript: string }
  /** Deletes a transcript's conversation, and then the file. */
  | { readonly kind: "discard"; readonly conversation: string; readonly transcript: string }
  | { readonly kind: "rename"; readonly conversation: string; readonly title: string }
  | { readonly kind: "erase"; readonly conversation: string; readonly from: number; readonly to: number }
  /** `clear` empties the context, `retire` archives by a reset. */
  | {
      readonly kind: "archive" | "unarchive" | "clear" | "retire" | "delete";
      readonly conversation: string;
    };

export type Answer =
  | { readonly kind: "placed"; readonly conversation: string; readonly seqs: readonly number[] }
  | { readonly kind: "read"; readonly conversation: string; readonly characters: number }
  | { readonly kind: "done" }
  /** An answer that the caller has to expect, such as "it is gone already". */
  | { readonly kind: "refused" };

export async function perform(engine: Engine, folder: string, operation: Operation): Promise<Answer> {
  switch (operation.kind) {
    case "commit":
      return commit(engine, operation.session, operation.key);
    case "replay":
      return commit(engine, operation.conversation, operation.key);
    case "import":
      return importFile(engine, transcriptPath(folder, operation.transcript));
    default:
      return refusable(() => change(engine, folder, operation));
  }
}

type Change = Exclude<Operation, { kind: "commit" | "replay" | "import" }>;

async function change({ context }: Engine, folder: string, operation: Change): Promise<unknown> {
  const { conversation } = operation;
  switch (operation.kind) {
    case "discard":
      await context.conversations.delete(conversation);
      return rmSync(transcriptPath(folder, operation.transcript), { force: true });
    case "rename":
      return context.conversations.rename(conversation, operation.title);
    case "erase":
      return context.erase({ conversation, from: operation.from, to: operation.to });
    case "archive":
      return context.conversations.archive(conversation);
    case "unarchive":
      return context.conversations.unarchive(conversation);
    case "clear":
      return context.conversations.reset({ conversation, mode: "new" });
    case "retire":
      return context.conversations.reset({ conversation, mode: "reset" });
    case "delete":
      return context.conversations.delete(conversation);
  }
}

/** Erasing what is erased, or bringing a conversation back whose session has gone on in another one. */
async function refusable(run: () => Promise<unknown>): Promise<Answer> {
  try {
    await run();
    return { kind: "done" };
  } catch (error) {
    if (isPalimpsestError(error, "not-found") || isPalimpsestError(error, "conflict"))
      return { kind: "refused" };
    throw error;
  }
}

async function commit({ context }: Engine, conversation: string, key: string): Promise<Answer> {
  const result = await context.commitTurn({ conversation, key, messages: saidUnderKey(key) });
  if (result.status === "skipped") throw new Error("nothing asks for turns to be skipped");
  return {
    kind: "placed",
    conversation: result.conversation,
    seqs: result.messages.map(({ seq }) => seq),
  };
}

async function importFile({ context }: Engine, file: string): Promise<Answer> {
  const { length } = readTranscript(file);
  const { conversation } = await context.conversations.import(file);
  if (conversation === null) throw new Error("nothing asks for transcripts to be skipped");
  return { kind: "read", conversation, characters: length };
}
