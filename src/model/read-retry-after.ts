/** How long a provider asks to wait, from its answer's headers: milliseconds, or null when it does not say. */
export function readRetryAfter(headers: unknown, now: number): number | null {
  if (typeof headers !== "object" || headers === null) return null;
  const exact = positiveNumber(Reflect.get(headers, "retry-after-ms"));
  if (exact !== null) return exact;
  const given: unknown = Reflect.get(headers, "retry-after");
  const seconds = positiveNumber(given);
  if (seconds !== null) return Math.ceil(seconds * 1000);
  const date = typeof given === "string" && given.endsWith("GMT") ? Date.parse(given) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function positiveNumber(text: unknown): number | null {
  return typeof text === "string" && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}
