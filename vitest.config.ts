import { defineConfig } from "vitest/config";

const MINUTE_MS = 60_000;

/** `--mode long` is `npm run test:long`: see test/run-length.ts. */
export default defineConfig(({ mode }) => ({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    globalSetup: ["test/temporary-files.ts", "test/built-code.ts", "test/postgres-server.ts"],
    testTimeout: mode === "long" ? 240 * MINUTE_MS : 3 * MINUTE_MS,
    hookTimeout: 3 * MINUTE_MS,
    pool: "forks",
    maxWorkers: 2,
    // The engine is loaded once by each worker, not once for each of 300 files.
    isolate: false,
    provide: { isLongRun: mode === "long" },
  },
}));
