import type { Engine } from "../engine.ts";

interface OpenHow {
  /** Makes a store where there is none. */
  readonly makesStore?: boolean;
}

/** Gives the engine, or throws what stands in the way; a later call may succeed. */
export type OpenEngine = (how?: OpenHow) => Promise<Engine>;

/** One opening for all callers; after a failure, the next caller tries again. */
export function openOnce(open: OpenEngine): OpenEngine {
  let opening: Promise<Engine> | undefined;
  const begin = (how: OpenHow) => {
    opening ??= open(how).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return async (how = {}) => {
    // What is being opened for a reader may fail only because there is no store yet.
    if (how.makesStore === true) await opening?.catch(() => undefined);
    return begin(how);
  };
}
