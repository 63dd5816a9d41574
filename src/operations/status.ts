import { z } from "zod";
import { packageVersion } from "../package-version.ts";
import { bytes, count, counted } from "../text/counted.ts";
import type { Look } from "../text/terminal/look.ts";
import { fields } from "../text/terminal/table.ts";
import { toStats } from "./memory/memory-stats.ts";
import { defineOperation } from "./operation.ts";
import { knownBackups } from "./store/backup-records.ts";

const whole = z.int();

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  version: z.string().describe("Version of palimpsest."),
  engine: z.enum(["sqlite", "postgres"]).describe("Database engine of the store."),
  engineVersion: z.string().describe("Version of the database engine."),
  schemaVersion: whole.describe("Schema version of the store."),
  location: z.string().describe("Location of the store, without credentials."),
  bytesOnDisk: whole.describe("Size of the store in bytes."),
  conversations: whole.describe("Conversations, including archived ones."),
  messages: whole.describe("Messages on record, including erased ones."),
  tokens: whole.describe("Tokens of all messages."),
  contextTokens: whole.describe("Tokens of all contexts."),
  summaries: whole.describe("Summaries, at any depth."),
  memories: whole.describe("Memories on record, including replaced and erased ones."),
  memory: z
    .strictObject({
      active: whole.describe("Active memories."),
      embeddingModel: z
        .string()
        .nullable()
        .describe("The embedding model; null if memories are searched by words only."),
      withoutVectors: whole.describe("Memories without an embedding from that model."),
    })
    .describe("Memories that the configured agent can see."),
  messageVectors: whole.describe("Embeddings of messages, from all models."),
  meaning: z
    .strictObject({
      model: z.string().describe("The embedding model."),
      embedded: whole.describe("Messages that have embeddings from it."),
      vectors: whole.describe("Number of these embeddings; a long message has several."),
      notEmbedded: whole.describe("Messages that are pending; they are found by words."),
    })
    .nullable()
    .describe("Progress of embedding the configured agent's messages; null while searchByMeaning is off."),
  unreadableLines: whole.describe("Transcript lines that are kept but not readable."),
  durability: z.record(z.string(), z.string()).describe("Database settings that affect durability."),
  scopes: z
    .array(
      z.strictObject({
        tenant: z.string().describe("Tenant."),
        agent: z.string().describe("Agent."),
      }),
    )
    .readonly()
    .describe("Tenants and agents that have data in the store."),
  lastBackup: z
    .strictObject({
      file: z.string().describe("The file."),
      at: z.string().describe("When it was finished, ISO 8601 in UTC."),
      bytes: whole.describe("Its size in bytes."),
    })
    .nullable()
    .describe("The newest backup, in the backups folder or elsewhere, if there is one."),
});

export const status = defineOperation({
  name: "status",
  summary: "Show what is stored, where, and how much space it takes, for all tenants and agents.",
  input: z.strictObject({}),
  output: outputSchema,
  command: { text: (output, { look }) => render(output, look) },
  run: async (engine) => {
    const { store } = engine;
    const [info, scopes, { backups }, memories, meaning] = await Promise.all([
      store.info(),
      store.scopes(),
      knownBackups(engine),
      engine.memory.maintenance.stats(),
      engine.context.index.embeddings(),
    ]);
    const { byState, embeddingModel, withoutVectors } = toStats(memories);
    const memory = { active: byState.active, embeddingModel, withoutVectors };
    return { version: packageVersion(), ...info, memory, meaning, scopes, lastBackup: backups[0] ?? null };
  },
});

function render(output: Output, look: Look): string {
  const name = output.engine === "sqlite" ? "SQLite" : "PostgreSQL";
  const durability = Object.entries(output.durability).map(([key, value]) => `${key} ${value}`);
  const summaries = counted(output.summaries, "summary", "summaries");
  return fields(
    [
      ["palimpsest", output.version],
      ["store", output.location],
      ["engine", `${name} ${output.engineVersion}, schema ${output.schemaVersion}`],
      ["durability", durability.join(", ")],
      ["on disk", bytes(output.bytesOnDisk)],
      ["conversations", count(output.conversations)],
      ["messages", `${count(output.messages)} (${counted(output.tokens, "token")})`],
      ["contexts", `${counted(output.contextTokens, "token")}, with ${summaries}`],
      ["memories", describeMemories(output)],
      ["semantic", describeMeaning(output)],
      ["unreadable", counted(output.unreadableLines, "transcript line")],
      ["scopes", describeScopes(output)],
      ["last backup", describeBackup(output.lastBackup, look)],
    ],
    look,
  );
}

function describeScopes({ scopes }: Output): string {
  const names = scopes.map(({ tenant, agent }) => `${tenant}/${agent}`).join(", ");
  return names === "" ? "none yet" : `${names} (tenant/agent)`;
}

function describeMemories({ memories, memory }: Output): string {
  const { active, embeddingModel, withoutVectors } = memory;
  const amount = `${count(memories)} (${count(active)} active for this agent)`;
  if (embeddingModel === null) return `${amount}, searched by words only (embeddingModel is off)`;
  const missing =
    withoutVectors === 0 ? "" : `, ${counted(withoutVectors, "embedding")} missing (lcm memory reembed)`;
  return `${amount}, embedded with ${embeddingModel}${missing}`;
}

function describeMeaning({ meaning }: Output): string {
  if (meaning === null) return "messages are searched by words only (searchByMeaning is off)";
  const { embedded, model, notEmbedded } = meaning;
  const missing = notEmbedded === 0 ? "" : `, ${count(notEmbedded)} pending (lcm embed)`;
  return `${counted(embedded, "message has", "messages have")} embeddings (${model})${missing}`;
}

function describeBackup(backup: Output["lastBackup"], look: Look): string {
  if (backup === null) return "none yet (create one with lcm backup)";
  return `${look.time(backup.at)}, ${bytes(backup.bytes)}: ${backup.file}`;
}
