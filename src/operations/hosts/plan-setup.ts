/** What a set-up or its undoing would change. Nothing is written here, and nothing is planned if one file is refused. */
import { hostFolders } from "../../config/host-folders.ts";
import { PalimpsestError } from "../../errors.ts";
import { decodeExactly } from "../../text/utf8.ts";
import { type FileEdit, type HostSetup, installedPrograms } from "./host-setup.ts";
import { HOST_SETUPS } from "./hosts.ts";
import { readBytes, readRecord } from "./setup-record.ts";

export interface FileChange {
  readonly path: string;
  /** Null: there is none. */
  readonly before: Buffer | null;
  readonly after: Buffer | null;
  /** What undoing leads back to: `before` without what an earlier set-up wrote. */
  readonly original: Buffer | null;
}

export function hostNamed(name: string): HostSetup {
  const host = HOST_SETUPS.find((one) => one.name === name);
  if (host !== undefined) return host;
  throw new PalimpsestError("invalid-input", `unknown host '${name}'`, {
    advice: `Use one of: ${HOST_SETUPS.map((one) => one.name).join(", ")}.`,
  });
}

export function planSetup(host: HostSetup): readonly FileChange[] {
  return editsOf(host)
    .map(({ path, add, remove }) => {
      const before = readBytes(path);
      if (before === null) return { path, before, after: Buffer.from(add(null)), original: null };
      const text = textIn(path, before);
      const rest = remove(text);
      const original = rest === text ? before : rest === null ? null : Buffer.from(rest);
      return { path, before, after: Buffer.from(add(text)), original };
    })
    .filter(isChange);
}

/** As it was before, byte for byte, unless the file was changed since: then only our part is taken out. */
export function planUndo(host: HostSetup, dataDir: string): readonly FileChange[] {
  const record = readRecord(dataDir, host.name);
  return editsOf(host)
    .map((edit) =>
      undoOf(
        edit,
        record?.files.find(({ path }) => path === edit.path),
      ),
    )
    .filter(isChange);
}

function undoOf(
  { path, remove }: FileEdit,
  kept: { readonly before: string | null; readonly after: string } | undefined,
): FileChange {
  const now = readBytes(path);
  if (now === null) return { path, before: null, after: null, original: null };
  if (kept !== undefined && now.toString("base64") === kept.after)
    return {
      path,
      before: now,
      after: kept.before === null ? null : Buffer.from(kept.before, "base64"),
      original: now,
    };
  const rest = remove(textIn(path, now));
  return { path, before: now, after: rest === null ? null : Buffer.from(rest), original: now };
}

function editsOf(host: HostSetup): readonly FileEdit[] {
  return host.edits(hostFolders(), installedPrograms());
}

function textIn(path: string, bytes: Buffer): string {
  const text = decodeExactly(bytes);
  if (text !== undefined) return text;
  throw new PalimpsestError("invalid-input", `${path} is not UTF-8 text; the file was not changed`);
}

function isChange({ before, after }: FileChange): boolean {
  if (before === null || after === null) return before !== after;
  return !before.equals(after);
}
