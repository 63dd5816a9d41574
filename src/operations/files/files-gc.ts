import { z } from "zod";
import { defineOperation } from "../operation.ts";

export const collectGarbage = defineOperation({
  name: "files-gc",
  summary: "Remove contents that no file refers to any more, over all tenants and agents.",
  input: z.strictObject({
    dryRun: z.boolean().exactOptional().describe("Only count them. Default false."),
  }),
  output: z.strictObject({
    contents: z.int().describe("Contents that nothing referred to."),
    bytes: z.int().describe("Room that they took on disk."),
    dryRun: z.boolean().describe("Whether they are still there."),
  }),
  run: async ({ store }, { dryRun = false }) => ({ ...(await store.collectGarbage({ dryRun })), dryRun }),
});
