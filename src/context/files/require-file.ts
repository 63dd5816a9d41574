/**
 * Finds a file by its id, or by the reference line that represents it in a context, which is easy to copy
 * completely.
 */
import { PalimpsestError } from "../../errors.ts";
import type { FileStore, StoredFile } from "../../store/file-store.ts";
import { nearest } from "../../text/hints/nearest.ts";
import { refuseOtherKinds } from "../read/wrong-kind.ts";

const PASTED = /^\s*\[LCM (?:File|Tool Output): (file_[0-9a-f]{16})\b/;

/** The id in a complete reference; other text is returned unchanged. */
export function fileIdIn(text: string): string {
  return PASTED.exec(text)?.[1] ?? text;
}

export async function requireFile(
  store: Pick<FileStore, "file" | "files">,
  given: string,
): Promise<StoredFile> {
  if (typeof given !== "string")
    throw new PalimpsestError("invalid-input", `a file id must be text, not ${typeof given}`, {
      advice: "List files with: lcm files list",
    });
  const id = fileIdIn(given);
  refuseOtherKinds(id, "file");
  const file = await store.file(id);
  if (file !== undefined) return file;
  throw new PalimpsestError("not-found", `there is no file ${id}`, {
    advice: (await didYouMean(store, id)) ?? "List files with: lcm files list",
  });
}

async function didYouMean(store: Pick<FileStore, "files">, id: string): Promise<string | undefined> {
  const { rows } = await store.files({});
  const near = nearest(
    id,
    rows.map((file) => file.id),
  );
  return near.length === 0 ? undefined : `Did you mean ${near.join(" or ")}?`;
}
