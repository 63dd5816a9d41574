import { randomFillSync } from "node:crypto";

/** A system call costs as much for a few bytes as for thousands. */
const POOL_BYTES = 4_096;

/** Random bytes for ids and salts, fetched in batches. No byte is returned twice. */
export function pooledRandom(): (size: number) => Uint8Array {
  let pool = new Uint8Array(0);
  let next = 0;
  return (size) => {
    if (size > POOL_BYTES) return randomFillSync(new Uint8Array(size));
    if (next + size > pool.length) {
      pool = randomFillSync(new Uint8Array(POOL_BYTES));
      next = 0;
    }
    next += size;
    return pool.slice(next - size, next);
  };
}
