import { gistKey } from "../text/language/gist.ts";
import type { StoredMemory } from "./memory-store.ts";

/** The key by which memories that say the same are looked up. An erased memory has none. */
export function gistOfMemory({ abstract }: Pick<StoredMemory, "abstract">): Uint8Array {
  return abstract === "" ? new Uint8Array() : gistKey(abstract);
}
