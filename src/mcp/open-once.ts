import type { Engine } from "../engine.ts";

/** Gives the engine, or throws what stands in the way; a later call may succeed. */
export type OpenEngine = () => Promise<Engine>;

/** One opening for all callers; after a failure, the next caller tries again. */
export function openOnce(open: OpenEngine): OpenEngine {
  let opening: Promise<Engine> | undefined;
  return () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}
