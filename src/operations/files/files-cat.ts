import { z } from "zod";
import { fileIdIn } from "../../context/files/require-file.ts";
import { MOST_READ_BYTES, readFileInput } from "../../context/inputs.ts";
import { requireFileId } from "../../context/read/wrong-kind.ts";
import type { Engine } from "../../engine.ts";
import { PalimpsestError } from "../../errors.ts";
import { bytes } from "../../text/counted.ts";
import { defineOperation } from "../operation.ts";
import { writeNewFile } from "../store/write-new-file.ts";
import { refuseTwoOutputs, wroteFile } from "../store/written-page.ts";
import { sliceSchema, toSlice } from "./file-schema.ts";
import { NO_RANGE_FLAGS, RANGE_FLAGS } from "./range-flags.ts";

const inputSchema = z.strictObject({
  ...readFileInput.omit({ maxBytes: true }).shape,
  output: z
    .string()
    .min(1)
    .exactOptional()
    .describe("File to write it to. It must not exist yet; - is standard output."),
});
type Input = z.infer<typeof inputSchema>;

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  id: z.string().describe("Of the file."),
  content: sliceSchema
    .nullable()
    .describe("At most 500 kB of the requested range; null if it was written to a file."),
  written: z
    .strictObject({
      file: z.string().describe("The file that was written."),
      bytes: z.int().describe("Its size."),
    })
    .nullable()
    .describe("The written file; null if none was named."),
});

export const catFile = defineOperation<Input, Output, { readonly bytes: number }>({
  name: "files-cat",
  summary: "Print a file or a range of it, or write it to another file byte for byte, whatever its size.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["id"],
    flags: { ...NO_RANGE_FLAGS, output: { letter: "o", value: "file" } },
    also: RANGE_FLAGS,
    examples: [
      ["lcm files cat file_0123456789abcdef | less"],
      ["lcm files cat file_0123456789abcdef --lines 100-140"],
      ["lcm files cat file_0123456789abcdef --output copy.pdf"],
      ["lcm files cat file_0123456789abcdef --json", "at most 500 kB; `next` is the remaining range"],
    ],
    refuse: ({ output: file }, asked) => refuseTwoOutputs({ file }, asked),
    paged: true,
    progress: ({ bytes: done }) => `writing … ${bytes(done)}`,
    stream: (engine, { output, ...input }) =>
      output === undefined || output === "-" ? fileBytes(engine, input) : undefined,
    text: ({ written }) => (written === null ? "" : wroteFile(written)),
  },
  run: async (engine, { output, ...input }, use) => {
    const id = fileIdIn(input.id);
    if (output === undefined) {
      requireFileId(id);
      const slice = await engine.context.files.read({ ...input, maxBytes: MOST_READ_BYTES });
      return { id, content: toSlice(slice), written: null };
    }
    const pieces = followed(fileBytes(engine, input), use);
    return { id, content: null, written: await writeNewFile(output, pieces) };
  },
});

/** The bytes, for a caller with a stream instead of a file. */
export function fileBytes(
  engine: Engine,
  { id, ...range }: Omit<Input, "output">,
): AsyncIterable<Uint8Array> {
  requireFileId(fileIdIn(id));
  return engine.context.files.content(id, range);
}

async function* followed(
  pieces: AsyncIterable<Uint8Array>,
  use: {
    readonly signal?: AbortSignal | undefined;
    readonly onProgress?: (progress: { bytes: number }) => void;
  },
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    if (use.signal?.aborted === true)
      throw new PalimpsestError("cancelled", "writing the file was cancelled");
    yield piece;
    bytes += piece.byteLength;
    use.onProgress?.({ bytes });
  }
}
