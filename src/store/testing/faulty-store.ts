/**
 * A store that fails on purpose. A fault happens either before a commit reaches the store, or after the store has committed
 * and before the caller gets the answer: the two ways in which a connection is lost.
 */
import { PalimpsestError } from "../../errors.ts";
import type { Store } from "../store.ts";
import { interceptCalls } from "./counting-store.ts";

export type Fault = "none" | "before-commit" | "after-commit";

export function failOn(store: Store, decide: (commit: number) => Fault): Store {
  let commits = 0;
  return interceptCalls(store, async (name, call) => {
    if (name !== "commit") return call();
    const fault = decide(++commits);
    if (fault === "before-commit") throw lost();
    const result = await call();
    if (fault === "after-commit") throw lost();
    return result;
  });
}

function lost(): PalimpsestError {
  return new PalimpsestError("store-unavailable", "the connection was lost (on purpose)");
}
