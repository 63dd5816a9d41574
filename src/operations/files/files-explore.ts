import { createReadStream } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { KINDS } from "../../context/files/explore/exploration.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { defineOperation } from "../operation.ts";
import type { Setup } from "../setup.ts";
import { requireReadable } from "../store/require-readable.ts";

export const exploreFile = defineOperation({
  name: "files-explore",
  summary:
    "Describe a file in at most 400 tokens: its type, structure and size. Credentials are never shown.",
  input: z.strictObject({ path: z.string().min(1).describe("The file.") }),
  output: z.strictObject({
    path: z.string().describe("The file that was read."),
    bytes: z.int().describe("Its size."),
    kind: z.enum(KINDS).describe("Detected type; the content takes precedence over the name."),
    complete: z.boolean().describe("Whether the whole file was read."),
    tokens: z.int().describe("Tokens of the description."),
    text: z.string().describe("The description."),
  }),
  command: {
    positional: ["path"],
    text: ({ text }) => text.split("\n").map(escapeControls).join("\n"),
  },
  runsOn: "setup",
  run: async (_: Setup, { path: file }, { signal }) => {
    const bytes = await requireReadable(file);
    const { explore } = await import("../../context/files/explore/explore.ts");
    const { kind, complete, tokens, text } = await explore({
      name: path.basename(file),
      mime: null,
      bytes,
      open: () => createReadStream(file),
      signal,
    });
    return { path: file, bytes, kind, complete, tokens, text };
  },
});
