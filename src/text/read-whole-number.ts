/** Parses a whole number: `32000`, `32k` (32,000) or `1.5M` (1,500,000); undefined for any other text. */
export function readWholeNumber(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text.trim()) ?? [];
  if (digits === undefined || (unit === "" && digits.includes("."))) return undefined;
  const value = Math.round(Number(digits) * (FACTORS[unit.toLowerCase()] ?? 1));
  return Number.isSafeInteger(value) ? value : undefined;
}

const FACTORS: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };
