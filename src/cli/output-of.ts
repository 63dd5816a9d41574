import type { Operation } from "../operations/operation.ts";

/** What an operation answers. */
export type OutputOf<Type> =
  Type extends Operation<infer _Input, infer Output, infer _Progress, infer _On> ? Output : never;
