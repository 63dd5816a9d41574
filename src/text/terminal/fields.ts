/** Names and values below each other. */

import { escapeControls } from "../escape-controls.ts";
import { displayWidth, padWidth } from "./display-width.ts";
import type { Look } from "./look.ts";

export function fields(list: readonly (readonly [name: string, value: string])[], look: Look): string {
  const width = Math.max(...list.map(([name]) => displayWidth(name)));
  return list
    .map(([name, value]) => `${look.style("dim", padWidth(name, width))}  ${escapeControls(value)}`)
    .join("\n");
}
