/** Where something matches, as searches give it. */
import { z } from "zod";

const spanSchema = z.strictObject({
  start: z.int().describe("First character."),
  end: z.int().describe("Behind the last character."),
});

export const snippetSchema = z
  .strictObject({
    text: z.string().describe("The words around the matches; … where something is left out."),
    marks: z.array(spanSchema).readonly().describe("Where the matches are in it."),
  })
  .describe("Where it matches.");
