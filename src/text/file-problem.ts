/** Describes system errors about files and folders for people, including the system's error code. */
import { existsSync } from "node:fs";
import path from "node:path";
import { messageOf, PalimpsestError } from "../errors.ts";

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  ENOENT: "there is no such file or folder",
  ENOTDIR: "part of the path is not a folder",
  EISDIR: "it is a folder",
  EEXIST: "it already exists",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota of this user is used up",
  EFBIG: "the file is too large",
  EROFS: "the disk is read-only",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "the name is too long",
  EBUSY: "it is in use",
  EIO: "input/output error on the disk",
};

export function fileProblem(error: unknown): string {
  const code = fileErrorCode(error);
  const words = code === undefined ? undefined : WORDS[code];
  return words === undefined ? messageOf(error) : `${words} (${code})`;
}

/** The error code of the system, such as `ENOENT`. */
export function fileErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Existing files are never overwritten, since they may still be needed. */
export function nameInUse(file: string): PalimpsestError {
  return new PalimpsestError("invalid-input", `${file} already exists`, {
    advice: "Choose another name, or remove the file first.",
  });
}

/** A new file that could not be created: nothing was written. */
export function cannotBeCreated(file: string, error: unknown): PalimpsestError {
  if (isDiskFull(error)) return cannotBeWritten(file, error);
  const folder = path.dirname(file);
  const isMissing = fileErrorCode(error) === "ENOENT" && !existsSync(folder);
  const problem = isMissing ? `the folder ${folder} does not exist` : fileProblem(error);
  return new PalimpsestError("invalid-input", `${file} cannot be written: ${problem}`, {
    advice: isMissing
      ? "Create the folder first, or choose another one."
      : "Choose a name in a folder that this user may write to.",
    cause: error,
  });
}

/** A new file that could not be written to its end, and was removed. */
export function cannotBeWritten(file: string, error: unknown): PalimpsestError {
  return new PalimpsestError(
    isDiskFull(error) ? "store-full" : "store-unavailable",
    `${file} cannot be written: ${fileProblem(error)}`,
    {
      advice: "The incomplete file was removed. Choose a folder on another disk, or free some space.",
      cause: error,
    },
  );
}

/** Also if the user's disk quota is exceeded, or the file is too large. */
export function isDiskFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "EFBIG"].includes(fileErrorCode(error) ?? "");
}
