import path from "node:path";
import { z } from "zod";
import type { Engine } from "../../engine.ts";
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import { readArchive, requireArchive } from "../../store/archive.ts";
import { followRows } from "../../store/follow-rows.ts";
import { counted } from "../../text/counted.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { list } from "../../text/terminal/table.ts";
import { cleanUpAfterErasing } from "../after-erasing.ts";
import { defineOperation, type Steps, type Use } from "../operation.ts";
import { runOperation } from "../run-operation.ts";
import type { Setup } from "../setup.ts";
import { status } from "../status.ts";
import { damageLines, damageSchema } from "./archive-schema.ts";
import { backupRecords } from "./backup-records.ts";
import { archiveOptions, timestamp } from "./backups.ts";
import { certificatesIn, findBroughtBack } from "./erase-again.ts";
import { writeBackup } from "./write-backup.ts";

const output = z.strictObject({
  file: z.string().describe("The restored file."),
  conversations: z.number().int().describe("Number of conversations in the store now."),
  messages: z.number().int().describe("Number of messages in the store now."),
  safetyBackup: z
    .string()
    .nullable()
    .describe("Backup of the previous content; null if the store was empty."),
  damagedFile: z
    .string()
    .nullable()
    .describe("New name of the damaged database; null if it was not damaged."),
  erased: z
    .array(z.string())
    .describe(
      "Messages and memories of the file that had been erased in this store; they were erased again.",
    ),
  returned: z
    .array(z.string())
    .describe(
      "Restored items that had been erased or deleted in this store: deleted conversations, and with withErased all of them.",
    ),
  withoutEmbeddings: z
    .strictObject({
      messages: z.number().int().describe("Messages; 0 while searchByMeaning is off."),
      memories: z.number().int().describe("Memories; 0 while embeddingModel is off."),
    })
    .describe("What the configured agent finds by words only until its embeddings are created again."),
  damages: z
    .array(damageSchema)
    .describe("Rows that are damaged or missing in the file, as recorded in it; empty if it is complete."),
});
type Restored = z.infer<typeof output>;
type RestoreInput = { readonly file: string; readonly withErased?: boolean };

export const restore = defineOperation({
  name: "restore",
  summary:
    "Replace the whole store with a backup or export, after a safety backup of the current one. A damaged SQLite database is kept under another name.",
  input: z.strictObject({
    file: z.string().min(1).describe("The backup or export to restore."),
    withErased: z
      .boolean()
      .exactOptional()
      .describe("Restore content that was erased here after the backup was made. Default: erase it again."),
  }),
  output,
  command: {
    positional: ["file"],
    working: "backing up and restoring",
    question,
    outcome: ({ damages }) => (damages.length > 0 ? "found-problems" : undefined),
    text: (
      { conversations, messages, damages, erased, returned, withoutEmbeddings, ...before },
      { suggest },
    ) =>
      [
        `Restored ${counted(conversations, "conversation")} with ${counted(messages, "message")}.`,
        whatWasThere(before),
        ...embeddingLines(withoutEmbeddings, suggest),
        ...list("Warning: the file contained items that were erased here; they were erased again:", erased),
        ...list("Warning: items that were erased or deleted here are restored:", returned),
        ...damageLines(
          "The file was made from a damaged store; these items are damaged or missing:",
          damages,
        ),
      ].join("\n"),
  },
  runsOn: "setup",
  makesStore: true,
  run: async (setup: Setup, input, use: Use<Steps>) => {
    const file = path.resolve(input.file);
    await requireArchive(file);
    try {
      return await replaceContent(setup, input, use).catch(async (error: unknown) => {
        if (!(await isStoreDamaged(setup, error))) throw error;
        return restoreBeside(setup, input, use);
      });
    } catch (error) {
      throw isPalimpsestError(error, "cancelled") ? asCancelled(error) : error;
    }
  },
});

/** Converts the error of any interrupted step. If the store was changed, the step's error says so. */
function asCancelled(error: PalimpsestError): PalimpsestError {
  return new PalimpsestError("cancelled", "the restore was cancelled", {
    advice: error.advice ?? "The store was not changed.",
    cause: error,
  });
}

async function replaceContent(setup: Setup, given: RestoreInput, use: Use): Promise<Restored> {
  const file = path.resolve(given.file);
  const engine = await setup.open();
  try {
    const safetyBackup = await backUpFirst(engine, use);
    const options = { replace: true, ...archiveOptions(use) };
    const certificates = await certificatesIn(engine.store);
    const rows = andThen(readArchive(file), [...(await backupRecords(engine)), ...certificates]);
    const { conversations, messages, damages } = await engine.store.load(rows, options);
    const eraseAgain = given.withErased !== true;
    const { erased, deleted } = await findBroughtBack(engine, certificates, { eraseAgain });
    if (eraseAgain && erased.length > 0) await cleanUpAfterErasing(engine);
    const gone = eraseAgain
      ? { erased: [...erased], returned: [...deleted] }
      : { erased: [], returned: [...erased, ...deleted] };
    const { memory, meaning } = await runOperation(status, engine, {});
    const withoutEmbeddings = { messages: meaning?.notEmbedded ?? 0, memories: memory.withoutVectors };
    const restored = { file, conversations, messages, safetyBackup, damagedFile: null, withoutEmbeddings };
    return { ...restored, ...gone, damages: [...damages] };
  } finally {
    await engine.close();
  }
}

/** Keeps the recorded backup paths, which the restored file may not contain. */
async function* andThen<Row>(rows: AsyncIterable<Row>, more: readonly Row[]): AsyncIterable<Row> {
  yield* rows;
  yield* more;
}

/** Whether the store is damaged, not the backup, and its files can be set aside. */
async function isStoreDamaged(setup: Setup, error: unknown): Promise<boolean> {
  if (!isPalimpsestError(error, "store-corrupt") || setup.loadUsable().config.databaseUrl !== null)
    return false;
  try {
    const engine = await setup.open();
    try {
      return (await engine.store.checkEngine()).length > 0;
    } finally {
      await engine.close();
    }
  } catch (opening) {
    return isPalimpsestError(opening, "store-corrupt");
  }
}

/** Nothing is moved if the backup turns out to be damaged. */
async function restoreBeside(setup: Setup, input: RestoreInput, use: Use): Promise<Restored> {
  const file = path.resolve(input.file);
  for await (const _ of followRows(readArchive(file), archiveOptions(use)));
  const damagedFile = await setup.setAside(`damaged-${timestamp(Date.now())}`);
  try {
    return { ...(await replaceContent(setup, input, use)), damagedFile };
  } catch (error) {
    if (!isPalimpsestError(error)) throw error;
    throw new PalimpsestError(error.code, error.message, {
      advice: `The store is empty now; repeat the restore. The damaged database is kept as ${damagedFile}`,
      cause: error,
    });
  }
}

async function hasNothing({ store }: Engine): Promise<boolean> {
  return (await store.tenants()).length === 0;
}

async function backUpFirst(engine: Engine, use: Use): Promise<string | null> {
  if (await hasNothing(engine)) return null;
  try {
    return (await writeBackup(engine, { ...use, suffix: "-before-restore" })).file;
  } catch (error) {
    if (!isPalimpsestError(error) || error.code === "cancelled") throw error;
    const message = `the current store cannot be backed up first: ${error.message}`;
    throw new PalimpsestError(error.code, message, {
      advice:
        "Nothing was changed. Restore into a new store and use that: lcm restore <file>, with another `dataDir` or `databaseUrl`.",
      cause: error,
    });
  }
}

function whatWasThere({ safetyBackup, damagedFile }: Pick<Restored, "safetyBackup" | "damagedFile">): string {
  if (damagedFile !== null) return `The damaged database is kept as: ${escapeControls(damagedFile)}`;
  if (safetyBackup !== null) return `Backup of the previous store: ${escapeControls(safetyBackup)}`;
  return "The store was empty before.";
}

/** They are not part of a backup. */
function embeddingLines(
  { messages, memories }: Restored["withoutEmbeddings"],
  suggest: (words: string) => string,
): string[] {
  const commands = [
    ...(messages === 0 ? [] : [suggest("embed")]),
    ...(memories === 0 ? [] : [suggest("memory reembed")]),
  ];
  return commands.length === 0
    ? []
    : [`A backup contains no embeddings. Create them again with: ${commands.join(" and ")}`];
}

/** Null if nothing is replaced. */
async function question(setup: Setup, { file }: { readonly file: string }): Promise<string | null> {
  await requireArchive(file);
  try {
    const { isEmpty, conversations, location } = await statusOf(setup);
    if (isEmpty) return null;
    return `Replace ${counted(conversations, "conversation")} in ${location} with ${file}?`;
  } catch (error) {
    if (isPalimpsestError(error, "not-found")) return null;
    if (!isPalimpsestError(error, "store-corrupt")) throw error;
    return `The store is damaged (${error.message}). Keep it under another name and restore ${file}?`;
  }
}

/** Closed at once: its files may have to be moved. */
async function statusOf(setup: Setup) {
  const engine = await setup.open({ mustExist: true });
  try {
    const isEmpty = await hasNothing(engine);
    return { isEmpty, ...(await runOperation(status, engine, {})) };
  } finally {
    await engine.close();
  }
}
