/** From which size on something is a payload, whatever it is. */
import type { Role } from "../../../types.ts";

export interface PayloadLimits {
  /** A file of more tokens is a payload. */
  readonly largeFileTokenThreshold: number;
  /** The texts of a tool's result that has more bytes are some, or the result as a whole where it is data. */
  readonly toolOutputStubBytes: number;
}

/** Bytes below which a reference would be longer than what it stands for, whatever the limits. */
export const SHORTEST = 256;

/** Bytes below which a text of a result with many is left where it is: each that goes leaves a reference behind. */
export const SHORTEST_OF_MANY = 512;

/** Nothing can be a payload in a message of this role and as few bytes. No tokenizer makes more tokens than bytes. */
export function holdsNoPayload(role: Role, bytes: number, limits: PayloadLimits): boolean {
  const { largeFileTokenThreshold: asFile, toolOutputStubBytes: asResult } = limits;
  if (role === "system") return bytes <= Math.max(SHORTEST, asFile);
  return bytes <= Math.max(SHORTEST, role === "assistant" ? asResult : Math.min(asFile, asResult));
}
