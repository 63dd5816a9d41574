import type { Command } from "commander";
import type { CommandLine } from "../command-line.ts";
import { addConfigCheck } from "./config-check.ts";
import { addConfigShow } from "./config-show.ts";

export function addConfig(program: Command, cli: CommandLine): void {
  const config = program.command("config").description("show or check the settings");
  for (const add of [addConfigShow, addConfigCheck]) add(config, cli);
}
