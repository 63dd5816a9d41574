/** `1329857` → `1.3 MB`. */
const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

export function byteSize(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
