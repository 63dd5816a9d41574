/** The schema of a match in search results. */
import { z } from "zod";

const spanSchema = z.strictObject({
  start: z.int().describe("Offset of the first character."),
  end: z.int().describe("Offset after the last character."),
});

export const snippetSchema = z
  .strictObject({
    text: z.string().describe("Text around the matches; … marks omissions."),
    marks: z.array(spanSchema).readonly().describe("Positions of the matches in the snippet."),
  })
  .describe("Matching part of the text.");
