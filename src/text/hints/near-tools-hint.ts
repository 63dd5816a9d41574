import { quoteName } from "../quote-text.ts";

/** A sentence behind "nothing was found", with the tools that may have been meant; nothing where there are none. */
export function nearToolsHint(tool: string | undefined, names: readonly string[]): string {
  if (tool === undefined || names.length === 0) return "";
  return ` No tool is called ${quoteName(tool)} there; did you mean ${names.map(quoteName).join(" or ")}?`;
}
