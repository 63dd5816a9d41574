/** Numbers with their nouns, as people read them. */

/** `1234567` → `1,234,567`. Not by Intl, whose start costs more than most commands take. */
export function count(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 message`, `2 messages`. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** The same for a unit that stands in the plural: `1 row`, `2 rows`; `1 token read`. */
export function countedIn(value: number, units: string): string {
  return counted(value, units.replace(/^(\w+)s\b/, "$1"), units);
}
