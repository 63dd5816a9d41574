import { escapeControls } from "../escape-controls.ts";

/** A heading with its items below it; nothing when there are none. */
export function list(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [heading, ...items.map((item) => `  ${escapeControls(item)}`)];
}
