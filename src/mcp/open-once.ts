import type { Engine } from "../engine.ts";

interface OpenHow {
  /** Creates a missing store. */
  readonly makesStore?: boolean;
}

/** Returns the engine or throws; a later call may succeed. */
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
    // Opening for a reader may fail only because there is no store yet.
    if (how.makesStore === true) await opening?.catch(() => undefined);
    return begin(how);
  };
}
