/** What is damaged in an archive, for people. */
import type { NamedDamage } from "../../store/store.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { list } from "../../text/terminal/table.ts";

export function damageLines(title: string, damages: readonly NamedDamage[]): string[] {
  return list(
    title,
    damages.map(({ conversation, seq, problem }) => {
      const place = [conversation ?? "store", ...(seq === null ? [] : [`#${seq}`])].join(" ");
      return `${place}: ${escapeControls(problem)}`;
    }),
  );
}
