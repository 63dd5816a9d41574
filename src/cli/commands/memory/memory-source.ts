import type { Command } from "commander";
import type { sourceOfMemory } from "../../../operations/memory/memory-source.ts";
import { escapeControls } from "../../../text/escape-controls.ts";
import type { CommandLine } from "../../command-line.ts";
import type { Look } from "../../look.ts";
import type { OutputOf } from "../../output-of.ts";
import { indented } from "../../render/render-hit.ts";
import { placeOf, renderMemory } from "../../render/render-memory.ts";
import { ROLE_STYLES } from "../../render/render-message.ts";

type Source = OutputOf<typeof sourceOfMemory>["sources"][number];
type Said = Source["messages"][number];

const EXAMPLES = `
Example:
  lcm memory source mem_0123456789abcdef`;

export function addMemorySource(memory: Command, cli: CommandLine): void {
  memory
    .command("source <id>")
    .description("the exact words that a memory came from, with the ids of the messages")
    .addHelpText("after", EXAMPLES)
    .action(async (id: string) => {
      const { sourceOfMemory } = await import("../../../operations/memory/memory-source.ts");
      const output = await cli.run(sourceOfMemory, { id });
      await cli.answer(output, (look) => render(output, look));
    });
}

function render({ memory, sources }: OutputOf<typeof sourceOfMemory>, look: Look): string {
  const told = sources.length === 0 ? [withoutSource(memory)] : [];
  return [renderMemory(memory, look), ...told, ...sources.map((source) => renderSource(source, look))].join(
    "\n\n",
  );
}

function withoutSource({ erasedAt }: OutputOf<typeof sourceOfMemory>["memory"]): string {
  return erasedAt === null
    ? "It comes from no message: it was told outright."
    : "Its words were erased, and with them where they came from.";
}

function renderSource(source: Source, look: Look): string {
  const kind = source.kind === "origin" ? "It was made from" : "It was said again in";
  if (source.messages.length === 0)
    return `${kind} ${placeOf(source)}, which is not there any more, or not for this agent.`;
  return [`${kind} ${placeOf(source)}:`, ...source.messages.map((said) => renderSaid(said, look))].join(
    "\n\n",
  );
}

function renderSaid({ id, role, createdAt, text }: Said, look: Look): string {
  const head = `${look.style(ROLE_STYLES[role], role)}${look.style("dim", ` · ${look.time(createdAt)} · ${id}`)}`;
  return `${head}\n${indented(text === null ? look.style("dim", "(erased)") : escapeControls(text))}`;
}
