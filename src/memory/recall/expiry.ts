/** A memory whose time has passed is ranked lower and never hidden: the time may have been misread. */

/** What is left of its score. */
const EXPIRED_FACTOR = 0.5;

interface Expiry {
  readonly factor: number;
  readonly reason: string;
}

/** It holds up to the given moment, and not at it. */
export function expiryOf(validUntil: string | null, now: number): Expiry {
  const until = validUntil === null ? Number.NaN : Date.parse(validUntil);
  if (Number.isNaN(until) || until > now) return { factor: 1, reason: "Still valid." };
  return { factor: EXPIRED_FACTOR, reason: `Expected to be valid only until ${validUntil}.` };
}
