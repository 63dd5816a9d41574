import { z } from "zod";
import { toStats } from "./memory/memory-stats.ts";
import { defineOperation } from "./operation.ts";
import { knownBackups } from "./store/backup-records.ts";
import { packageVersion } from "./version.ts";

const count = z.number().int();

export const status = defineOperation({
  name: "status",
  summary: "What is stored, where, and how much room it takes, over all tenants and agents.",
  input: z.strictObject({}),
  output: z.strictObject({
    version: z.string().describe("Version of palimpsest."),
    engine: z.enum(["sqlite", "postgres"]).describe("Which database keeps the store."),
    engineVersion: z.string().describe("Version of that database."),
    schemaVersion: count.describe("Version of the store's tables."),
    location: z.string().describe("Where the store is, without any secret."),
    bytesOnDisk: count.describe("Room that it takes, in bytes."),
    conversations: count.describe("Conversations, archived ones counted."),
    messages: count.describe("Messages on record, erased ones counted."),
    tokens: count.describe("Tokens of all messages."),
    contextTokens: count.describe("Tokens of all contexts, as models see them."),
    summaries: count.describe("Summaries, at any depth."),
    memories: count.describe("Memories on record, replaced and erased ones counted."),
    memory: z
      .strictObject({
        active: count.describe("Memories in force."),
        embeddingModel: z
          .string()
          .nullable()
          .describe("What vectors are made with; null: memories are found by their words only."),
        withoutVectors: count.describe("Memories that have no vectors of that model yet."),
      })
      .describe("What the configured agent may see of them."),
    messageVectors: count.describe("Vectors of what was said, of all models."),
    meaning: z
      .strictObject({
        model: z.string().describe("What the vectors are made with."),
        embedded: count.describe("Messages that have vectors of it."),
        vectors: count.describe("How many these are: a long message has several."),
        notEmbedded: count.describe("Messages that were not looked at yet; they are found by their words."),
      })
      .nullable()
      .describe(
        "How far what was said to the configured agent is known by its meaning; null while searchByMeaning is off.",
      ),
    unreadableLines: count.describe("Transcript lines that are kept and could not be read."),
    durability: z
      .record(z.string(), z.string())
      .describe("The database's settings that durability depends on."),
    scopes: z
      .array(
        z.strictObject({
          tenant: z.string().describe("Tenant."),
          agent: z.string().describe("Agent."),
        }),
      )
      .readonly()
      .describe("Tenants and agents that have something in the store."),
    lastBackup: z
      .strictObject({
        file: z.string().describe("The file."),
        at: z.string().describe("When it was finished, ISO 8601 in UTC."),
        bytes: count.describe("Its size in bytes."),
      })
      .nullable()
      .describe("The newest backup, in the backups folder or where another was put, if there is one."),
  }),
  run: async (engine) => {
    const { store } = engine;
    const [info, scopes, { backups }, memories, meaning] = await Promise.all([
      store.info(),
      store.scopes(),
      knownBackups(engine),
      engine.memory.stats(),
      engine.context.meaning(),
    ]);
    const { byState, embeddingModel, withoutVectors } = toStats(memories);
    const memory = { active: byState.active, embeddingModel, withoutVectors };
    return { version: packageVersion(), ...info, memory, meaning, scopes, lastBackup: backups[0] ?? null };
  },
});
