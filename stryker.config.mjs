/**
 * Mutation tests of pure rules and plans: StrykerJS makes one small fault after the other, and the unit tests beside the
 * rule must notice. What stays unnoticed has its reason in test/mutation/survivors.md.
 */
export default {
  testRunner: "vitest",
  vitest: { configFile: "test/mutation/vitest.config.ts" },
  coverageAnalysis: "perTest",
  mutate: [
    // Rules of the store.
    "src/store/rules/**/*.ts",
    "src/store/seal.ts",
    // Plans of compaction, stubs, and which messages stay raw.
    "src/context/compact/plan/{chunk,evaluate,fresh-tail,place-of-chunk,plan-bridging,plan-compaction,stubs}.ts",
    // Fidelity of summaries.
    "src/context/compact/{check-fidelity,known-facts,mentioned-in}.ts",
    "src/context/compact/anchors/*.ts",
    // What is shown.
    "src/context/assemble/{choose-entries,choose-relevant,choose-window,fit-entries}.ts",
    // Identity of what comes in.
    "src/context/ingest/prepare-turn.ts",
    "src/context/ingest/transcripts/{branch-tree,plan-resume,track-branches}.ts",
    "src/message/hosts/session-names.ts",
    // Files: what may be shown of them, and where they are cut.
    "src/text/credentials/safe-to-show.ts",
    "src/context/files/{read-file,utf16-border}.ts",
    "!src/**/*.test.ts",
  ],
  concurrency: 2,
  timeoutMS: 8_000,
  ignorePatterns: [".stryker-tmp*", "bench", "docs", "examples", "plugins", "dist", "*.tgz"],
  // TypeScript 7 has no API by which Stryker could rewrite a tsconfig for its sandbox, and vitest needs none.
  tsconfigFile: "none",
  reporters: ["clear-text", "progress"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 90 },
};
