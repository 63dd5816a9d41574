import type { Command } from "commander";
import type { showConfig } from "../../operations/config-show.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import type { CommandLine } from "../command-line.ts";
import type { Look } from "../look.ts";
import type { OutputOf } from "../output-of.ts";
import { table } from "../table.ts";

export function addConfigShow(config: Command, cli: CommandLine): void {
  config
    .command("show", { isDefault: true })
    .description("every setting, its value and where it came from")
    .action(async () => {
      const { showConfig } = await import("../../operations/config-show.ts");
      const output = await cli.runOnSetup(showConfig, {});
      await cli.answer(output, (look) => render(output, look));
    });
}

function render({ file, settings }: OutputOf<typeof showConfig>, look: Look): string {
  const rows = settings.map(({ key, value, source, environment }) => [
    key,
    shown(value),
    source,
    environment,
  ]);
  const columns = [{ title: "setting" }, { title: "value" }, { title: "from" }, { title: "environment" }];
  const from = file === null ? "No configuration file." : `File: ${escapeControls(file)}`;
  return `${table(columns, rows, look)}\n${from}`;
}

type Value = OutputOf<typeof showConfig>["settings"][number]["value"];

function shown(value: Value): string {
  if (Array.isArray(value)) return value.join(",") || "(none)";
  if (typeof value !== "object") return String(value) || "(none)";
  return value === null || Object.keys(value).length === 0 ? "(none)" : JSON.stringify(value);
}
