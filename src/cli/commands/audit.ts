import type { Command } from "commander";
import type { audit } from "../../operations/store/audit.ts";
import type { CommandLine } from "../command-line.ts";
import type { Look } from "../look.ts";
import { wholeNumber } from "../option-values.ts";
import type { OutputOf } from "../output-of.ts";
import { table } from "../table.ts";

export function addAudit(program: Command, cli: CommandLine): void {
  program
    .command("audit")
    .description("what was erased and deleted, which backups were put elsewhere, and when")
    .option("--from <position>", "where to go on", wholeNumber)
    .option("--limit <number>", "how many to show (1,000)", wholeNumber)
    .action(async ({ from, limit }: { from?: number; limit?: number }) => {
      const { audit } = await import("../../operations/store/audit.ts");
      const output = await cli.run(audit, { from, limit });
      await cli.answer(output, (look) => render(output, look, cli));
    });
}

function render({ records, next }: OutputOf<typeof audit>, look: Look, cli: CommandLine): string {
  if (records.length === 0) return "Nothing was ever erased, deleted or backed up elsewhere.";
  const rows = records.map(({ at, action, conversation, detail }) => [
    look.time(at),
    action,
    conversation ?? "",
    Object.entries(detail)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(", "),
  ]);
  const columns = [{ title: "when" }, { title: "what" }, { title: "conversation" }, { title: "detail" }];
  const listed = table(columns, rows, look);
  return next === null ? listed : `${listed}\nThere are more: ${cli.suggest(`audit --from ${next}`)}`;
}
