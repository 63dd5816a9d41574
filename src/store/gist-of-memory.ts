import { gistKey } from "../text/language/gist.ts";
import type { StoredMemory } from "./memory-store.ts";

/** What a memory is looked up by when somebody says the same. Of what was erased nothing is left, not even this. */
export function gistOfMemory({ abstract }: Pick<StoredMemory, "abstract">): Uint8Array {
  return abstract === "" ? new Uint8Array() : gistKey(abstract);
}
