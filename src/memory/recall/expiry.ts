/** A memory whose time has passed is ranked lower and never hidden: the time may have been misread. */

/** The factor for the score of an expired memory. */
const EXPIRED_FACTOR = 0.5;

interface Expiry {
  readonly factor: number;
  readonly reason: string;
}

/** The end is exclusive. */
export function expiryOf(validUntil: string | null, now: number): Expiry {
  const until = validUntil === null ? Number.NaN : Date.parse(validUntil);
  if (Number.isNaN(until) || until > now) return { factor: 1, reason: "Still valid." };
  return { factor: EXPIRED_FACTOR, reason: `Expected to be valid only until ${validUntil}.` };
}
