import { defineConfig } from "vitest/config";

const MINUTE_MS = 60_000;

/** Real hosts: `npm run test:hosts`. `--mode short` is what CI runs. */
export default defineConfig(({ mode }) => ({
  test: {
    include: ["test/hosts/*.host.ts"],
    testTimeout: 5 * MINUTE_MS,
    hookTimeout: 2 * MINUTE_MS,
    pool: "forks",
    maxWorkers: 1,
    provide: { isShortRun: mode === "short" },
  },
}));

declare module "vitest" {
  interface ProvidedContext {
    isShortRun: boolean;
  }
}
