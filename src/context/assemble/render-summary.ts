/**
 * A summary as the model sees it: data, never instructions. Text inside is escaped, so that it can neither
 * close its frame, imitate another one, or hide or reorder text by control characters; the stored text is unchanged.
 * Attributes are stable, so that the bytes do not change between turns.
 */
import type { StoredSummary } from "../../store/store.ts";
import { escapeControls } from "../../text/escape-controls.ts";

export function renderSummary(summary: StoredSummary): string {
  const attributes = [
    `id="${summary.id}"`,
    `kind="${summary.kind}"`,
    `depth="${summary.depth}"`,
    `descendant_count="${summary.descendantCount}"`,
    `messages="${summary.firstSeq}-${summary.lastSeq}"`,
    `earliest_at="${summary.earliestAt}"`,
    `latest_at="${summary.latestAt}"`,
    'trust="untrusted"',
  ];
  const content = escaped(escapeControls(summary.content ?? ""));
  return `<summary ${attributes.join(" ")}>\n${parents(summary)}<content>\n${content}\n</content>\n</summary>`;
}

function parents({ sources }: StoredSummary): string {
  if (sources.type === "messages") return "";
  const references = sources.ids.map((id) => `<summary_ref id="${id}" />`);
  return `<parents>\n${references.join("\n")}\n</parents>\n`;
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
