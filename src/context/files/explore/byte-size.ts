/** `1329857` → `1.3 MB`, `1` → `1 byte`. */
const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

export function byteSize(bytes: number): string {
  if (bytes === 1) return "1 byte";
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
