/**
 * Searches inside files for callers. A line matches if it contains all search terms; in a long line, each
 * match is a separate hit.
 */

import type { z } from "zod";
import type { ScopedStore } from "../../../store/store.ts";
import { messageId } from "../../../text/identifiers.ts";
import type { FileRange } from "../../files/read-file.ts";
import type { grepFilesInput } from "../../inputs.ts";
import { digestOf, filterOf, limitOf, matcherOf, roomFor, snippetLengthOf } from "../grep-messages.ts";
import type { Snippet } from "../snippet.ts";
import type { FileHit } from "./file-hit.ts";
import { lineFinder } from "./line-finder.ts";
import { searchFiles } from "./search-files.ts";

export interface GrepFilesInput extends Readonly<z.input<typeof grepFilesInput>> {
  readonly signal?: AbortSignal | undefined;
}

export interface FileGrepHit {
  /** Id of the file. */
  readonly id: string;
  readonly name: string | null;
  readonly tool: string | null;
  readonly conversation: string;
  readonly message: string;
  /** From 1, counted as when a file is read. */
  readonly line: number;
  /** The start of the line; in a line of more than 4,096 bytes, the start of the match. */
  readonly byte: number;
  readonly snippet: Snippet;
  /** The range to read to see its surroundings. */
  readonly around: FileRange;
}

export interface GrepFilesResult {
  readonly hits: readonly FileGrepHit[];
  readonly filesRead: number;
  readonly bytesRead: number;
  /** Ids of damaged files that could not be read. */
  readonly unreadable: readonly string[];
  readonly next: string | null;
}

export async function grepFiles(
  store: ScopedStore,
  input: GrepFilesInput,
  now: number,
): Promise<GrepFilesResult> {
  const { conversations } = await filterOf(
    store,
    input.conversations === undefined ? {} : { conversations: input.conversations },
    now,
  );
  const { hits, ...rest } = await searchFiles(store, {
    finder: lineFinder(await matcherOf(input)),
    conversations,
    limit: limitOf(input),
    ...roomFor(input, ({ snippet }: FileHit) => snippet.text),
    cursor: input.cursor ?? null,
    asked: digestOf(input, { order: "time" }),
    snippetLength: snippetLengthOf(input),
    ...(input.signal === undefined ? {} : { signal: input.signal }),
  });
  const shown = hits.map(({ file, line, byte, snippet, around }) => ({
    ...{ id: file.id, name: file.name, tool: file.tool, conversation: file.conversation },
    ...{ message: messageId(file.conversation, file.seq), line, byte, snippet, around },
  }));
  return { hits: shown, ...rest };
}
