import type { Command } from "commander";
import { escapeControls } from "../../text/escape-controls.ts";
import type { CommandLine } from "../command-line.ts";

export function addConfigCheck(config: Command, cli: CommandLine): void {
  config
    .command("check")
    .description("whether the environment and the configuration file are valid")
    .action(async () => {
      const { checkConfig } = await import("../../operations/config-check.ts");
      const output = await cli.runOnSetup(checkConfig, {});
      await cli.answer(output, () => {
        const from = output.file === null ? "there is no file" : escapeControls(output.file);
        const changed = output.changed.length === 0 ? "none" : output.changed.join(", ");
        return `The configuration is valid (${from}).\nSettings that are not at their default: ${changed}`;
      });
    });
}
