import type { Command } from "commander";
import type { status } from "../../operations/status.ts";
import { bytes, count, counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import { fields } from "../fields.ts";
import type { Look } from "../look.ts";
import type { OutputOf } from "../output-of.ts";

export function addStatus(program: Command, cli: CommandLine): void {
  program
    .command("status")
    .description("what is stored, where, and how much room it takes")
    .action(async () => {
      const { status } = await import("../../operations/status.ts");
      const output = await cli.run(status, {});
      await cli.answer(output, (look) => render(output, look));
    });
}

function render(output: OutputOf<typeof status>, look: Look): string {
  const name = output.engine === "sqlite" ? "SQLite" : "PostgreSQL";
  const durability = Object.entries(output.durability).map(([key, value]) => `${key} ${value}`);
  return fields(
    [
      ["palimpsest", output.version],
      ["store", output.location],
      ["engine", `${name} ${output.engineVersion}, schema ${output.schemaVersion}`],
      ["durability", durability.join(", ")],
      ["on disk", bytes(output.bytesOnDisk)],
      ["conversations", count(output.conversations)],
      ["messages", `${count(output.messages)} (${counted(output.tokens, "token")})`],
      [
        "contexts",
        `${counted(output.contextTokens, "token")}, with ${counted(output.summaries, "summary", "summaries")}`,
      ],
      ["memories", describeMemories(output)],
      ["meaning", describeMeaning(output)],
      ["unreadable", `${counted(output.unreadableLines, "transcript line")} kept that could not be read`],
      ["owners", output.scopes.map(({ tenant, agent }) => `${tenant}/${agent}`).join(", ") || "none yet"],
      ["last backup", describeBackup(output.lastBackup, look)],
    ],
    look,
  );
}

function describeMemories({ memories, memory }: OutputOf<typeof status>): string {
  const { active, embeddingModel, withoutVectors } = memory;
  const amount = `${count(memories)}, ${count(active)} in force for this agent`;
  if (embeddingModel === null) return `${amount}; found by words (embeddingModel is off)`;
  const missing =
    withoutVectors === 0 ? "" : `, ${counted(withoutVectors, "vector")} missing (lcm memory reembed)`;
  return `${amount}; ${embeddingModel}${missing}`;
}

function describeMeaning({ meaning }: OutputOf<typeof status>): string {
  if (meaning === null) return "what was said is found by words (searchByMeaning is off)";
  const { embedded, model, notEmbedded } = meaning;
  const missing = notEmbedded === 0 ? "" : `, ${count(notEmbedded)} not looked at yet (lcm embed)`;
  return `${counted(embedded, "message has", "messages have")} vectors of ${model}${missing}`;
}

function describeBackup(backup: OutputOf<typeof status>["lastBackup"], look: Look): string {
  if (backup === null) return "none yet (lcm backup makes one)";
  return `${look.time(backup.at)}, ${bytes(backup.bytes)}: ${backup.file}`;
}
