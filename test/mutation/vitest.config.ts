import { defineConfig } from "vitest/config";

/** The tests that are run for each mutant: those beside the rules that are mutated, as far as they are quick. */
export default defineConfig({
  test: {
    include: [
      "src/store/seal.test.ts",
      "src/store/rules/**/*.test.ts",
      "src/context/*.test.ts",
      "src/context/compact/plan/*.test.ts",
      "src/message/**/*.test.ts",
      "src/context/{assemble,compact,files,ingest}/*.test.ts",
      "src/context/compact/anchors/*.test.ts",
      "src/context/files/explore/*.test.ts",
      "src/context/ingest/transcripts/*.test.ts",
      "src/text/credentials/*.test.ts",
    ],
    exclude: [
      "**/externalise*.test.ts",
      "**/summarise-offline.test.ts",
      "src/context/files/explore/{explore,safe-to-show,thread-explorer}.test.ts",
    ],
    testTimeout: 60_000,
  },
});
