/** Plans the changes of a set-up or of its undo. Nothing is written here, and nothing is planned if one file is rejected. */
import type { StoreVariables } from "../../config/daemon-address.ts";
import { hostFolders } from "../../config/host-folders.ts";
import { PalimpsestError } from "../../errors.ts";
import { decodeExactly } from "../../text/utf8.ts";
import {
  type FileEdit,
  type HostSetup,
  installedPrograms,
  type KnownFile,
  type Programs,
} from "./host-setup.ts";
import { HOST_SETUPS } from "./hosts.ts";
import { readBytes, readRecord, type SetupRecord } from "./setup-record.ts";

export interface FileChange {
  readonly path: string;
  /** Null: there is none. */
  readonly before: Buffer | null;
  readonly after: Buffer | null;
  /** The content after an undo: `before` without what an earlier set-up wrote. */
  readonly original: Buffer | null;
  /** Replaced entries that are not ours. */
  readonly replaced: readonly string[];
  /** Whether the file becomes identical to the one before the set-up. */
  readonly isWhole?: true;
}

/** Values that are written into a configuration besides the hooks. */
interface Connection {
  readonly programs?: Programs;
  readonly store: StoreVariables;
}

export function hostNamed(name: string): HostSetup {
  const host = HOST_SETUPS.find((one) => one.name === name);
  if (host !== undefined) return host;
  throw new PalimpsestError("invalid-input", `unknown host '${name}'`, {
    advice: `Use one of: ${HOST_SETUPS.map((one) => one.name).join(", ")}.`,
  });
}

export function planSetup(host: HostSetup, connection: Connection): readonly FileChange[] {
  const record = readRecord(host.name);
  return editsOf(host, connection)
    .map(({ path, add, remove }) => {
      const known = knownOf(path, record);
      const before = readBytes(path);
      const text = before === null ? null : textIn(path, before);
      const { text: after, replaced } = add(text, known);
      const rest = text === null ? null : remove(text, known);
      const original = rest === text ? before : rest === null ? null : Buffer.from(rest);
      return { path, before, after: Buffer.from(after), original, replaced };
    })
    .filter(isChange);
}

/** Restores the file byte for byte, unless it was changed since; then only our part is removed. */
export function planUndo(host: HostSetup): readonly FileChange[] {
  const record = readRecord(host.name);
  return editsOf(host, { store: [] })
    .map((edit) => undoOf(edit, record))
    .filter(isChange);
}

function undoOf({ path, remove }: FileEdit, record: SetupRecord | null): FileChange {
  const kept = fileIn(record, path);
  const now = readBytes(path);
  const change = { path, before: now, original: now, replaced: [] };
  if (now === null) return { ...change, after: null };
  if (kept !== undefined && now.toString("base64") === kept.after)
    return {
      ...change,
      after: kept.before === null ? null : Buffer.from(kept.before, "base64"),
      isWhole: true,
    };
  const rest = remove(textIn(path, now), knownOf(path, record));
  return { ...change, after: rest === null ? null : Buffer.from(rest) };
}

function fileIn(record: SetupRecord | null, path: string) {
  return record?.files.find((file) => file.path === path);
}

function knownOf(path: string, record: SetupRecord | null): KnownFile {
  const { before = null, after = null } = fileIn(record, path) ?? {};
  const text = (base64: string | null) =>
    base64 === null ? null : Buffer.from(base64, "base64").toString("utf8");
  return { found: text(before), written: text(after) };
}

function editsOf(
  host: HostSetup,
  { programs = installedPrograms(), store }: Connection,
): readonly FileEdit[] {
  return host.edits(hostFolders(), programs, store);
}

function textIn(path: string, bytes: Buffer): string {
  const text = decodeExactly(bytes);
  if (text !== undefined) return text;
  throw new PalimpsestError("invalid-input", `${path} is not UTF-8 text`, {
    advice: "The file was not changed. Correct it, and run the command again.",
  });
}

function isChange({ before, after }: FileChange): boolean {
  if (before === null || after === null) return before !== after;
  return !before.equals(after);
}
