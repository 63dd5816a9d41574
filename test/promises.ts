/**
 * What must always hold, from the specification. A test that shows one of them carries `promise: <id>` in its
 * text; `promises.test.ts` checks that each has at least one.
 */
export const PROMISES = {
  immutable:
    "A canonical message or part is never changed or deleted; only an explicit erasure removes content.",
  reachable:
    "Every message on the active path is in the context exactly once, in order, byte for byte; others have a reason.",
  readable: "What is excluded from the context is still reached by reading.",
  pointing: "Every context item points to an existing row; ordinals strictly increase.",
  atomic: "A write is all or nothing: no crash, kill, lock conflict or full disk leaves a partial graph.",
  durable: "What was acknowledged survives a kill at any moment.",
  once: "Replaying the same input is a no-op. Two identical texts that were said twice are both kept.",
  rebuildable:
    "Index tables can be rebuilt from the canonical rows, and the integrity checker compares them.",
  complete: "Nothing is silently cut: a result that is not complete says so and gives a cursor.",
  exact: "Originals come back byte for byte: unknown blocks, images, NUL, lone surrogates, invalid UTF-8.",
  evident: "A changed, lost or reordered message is noticed by verify.",
  told: "A summary that does not say what was written is noticed by verify; a repair shows what it stood for instead.",
  scoped: "A tenant and agent never see or change what belongs to another.",
  portable: "Export and import round-trip everything, also between engines, to an identical store.",
  erasable: "Erasure removes content from every table and file of the store, and the chain still verifies.",
  copies:
    "Erasure finds what repeats the words wherever words are kept, and an erased entry never comes back.",
  certified: "Every erasure leaves a certificate that tells what was removed and searched, and is checked.",
  transcript: "Every line of a transcript is kept; the file can be written out again byte for byte.",
  refused: "Bad input is refused with a reason, and what was there is unchanged.",
} as const;

export type PromiseId = keyof typeof PROMISES;
