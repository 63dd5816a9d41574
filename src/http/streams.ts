/** Answers that are streams: bytes of files, and exports. */
import type { Engine } from "../engine.ts";
import { fileBytes } from "../operations/files/files-cat.ts";
import { exportPieces } from "../operations/memory/memory-export.ts";
import { exportLines } from "../operations/store/export.ts";
import { transcriptBytes } from "../operations/transcript.ts";

export interface OpenStream {
  readonly type: "application/octet-stream" | "application/x-ndjson";
  /** There is no JSON document to choose instead. */
  readonly isOnly: boolean;
  open(engine: Engine, input: object): AsyncIterable<string | Uint8Array>;
}

/** What was validated by the operation's own schema, which the types of the registry do not show. */
type Validated<Function extends (engine: Engine, input: never, ...rest: never[]) => unknown> =
  Parameters<Function>[1];

export const STREAMS: Readonly<Record<string, OpenStream>> = {
  "files cat": {
    type: "application/octet-stream",
    isOnly: false,
    open: (engine, input) => fileBytes(engine, input as Validated<typeof fileBytes>),
  },
  transcript: {
    type: "application/octet-stream",
    isOnly: false,
    open: (engine, input) => transcriptBytes(engine, input as Validated<typeof transcriptBytes>),
  },
  "memory export": {
    type: "application/x-ndjson",
    isOnly: true,
    open: (engine, input) => exportPieces(engine, input, { memories: 0 }, {}),
  },
  export: {
    type: "application/x-ndjson",
    isOnly: true,
    open: (engine) => exportLines(engine),
  },
};
