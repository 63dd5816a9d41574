/** Recognises the format of a file by its name and first kilobytes. Null if none fits. */
import type { ExchangeFormat } from "./exchange-formats.ts";
import { isLancedbPro } from "./read-lancedb-pro.ts";
import { isOurMarkdown } from "./read-markdown.ts";
import { isMem0 } from "./read-mem0.ts";
import { isMemoryMarkdown } from "./read-memory-markdown.ts";

export function recogniseFormat(name: string, head: string): ExchangeFormat | null {
  if (/^\ufeff?\s*\{\s*"palimpsest"\s*:\s*"memories"/.test(head)) return "palimpsest-jsonl";
  if (isOurMarkdown(head)) return "palimpsest-markdown";
  // Checked first: metadata of mem0 may have any field, including one named text.
  if (isMem0(head)) return "mem0";
  if (isLancedbPro(head)) return "lancedb-pro";
  return isMemoryMarkdown(name, head) ? "memory-markdown" : null;
}
