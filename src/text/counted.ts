/** Numbers with their nouns, as people read them. */

/** `1234567` → `1,234,567`. Not by Intl, whose start costs more than most commands take. */
export function count(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 message`, `2 messages`. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}
