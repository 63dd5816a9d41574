import { z } from "zod";
import { bytes, counted } from "../../text/counted.ts";
import { defineOperation } from "../operation.ts";

export const collectGarbage = defineOperation({
  name: "files-gc",
  summary: "Remove file contents that are no longer referenced, for all tenants and agents.",
  input: z.strictObject({
    dryRun: z.boolean().exactOptional().describe("Only count them. Default false."),
  }),
  output: z.strictObject({
    contents: z.int().describe("Number of unreferenced contents."),
    bytes: z.int().describe("Bytes that they take on disk."),
    dryRun: z.boolean().describe("Whether they were only counted and not removed."),
  }),
  command: {
    examples: [["lcm files gc --dry-run"], ["lcm files gc"]],
    working: "looking for unreferenced contents",
    text: ({ contents, bytes: size, dryRun }, { suggest }) => {
      const what = `${counted(contents, "content")} (${bytes(size)} on disk)`;
      if (contents === 0) return "No unreferenced contents.";
      return dryRun ? `Would remove ${what}. Apply with: ${suggest("files gc")}` : `Removed ${what}.`;
    },
  },
  run: async ({ store }, { dryRun = false }) => ({ ...(await store.collectGarbage({ dryRun })), dryRun }),
});
