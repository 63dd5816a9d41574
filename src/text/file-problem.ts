/** What the system says when a file or folder cannot be used, in words for people; the system's own code stays in it. */
import { messageOf, PalimpsestError } from "../errors.ts";

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "permission is missing",
  EPERM: "it is not permitted",
  ENOENT: "there is no such file or folder",
  ENOTDIR: "something on the way to it is not a folder",
  EISDIR: "it is a folder",
  EEXIST: "it exists already",
  ENOSPC: "the disk is full",
  EDQUOT: "this user's share of the disk is used up",
  EFBIG: "the file may not become larger",
  EROFS: "the disk may only be read",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "the name is too long",
  EBUSY: "it is in use",
  EIO: "the disk cannot be read or written",
};

export function fileProblem(error: unknown): string {
  const code = fileErrorCode(error);
  const words = code === undefined ? undefined : WORDS[code];
  return words === undefined ? messageOf(error) : `${words} (${code})`;
}

/** The system's name of the error, such as `ENOENT`. */
export function fileErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Nothing is ever written over: what stands under the name may be wanted still. */
export function nameInUse(file: string): PalimpsestError {
  return new PalimpsestError("invalid-input", `${file} exists already`, {
    advice: "Choose another name, or remove the file first.",
  });
}

/** A new file that could not be written to its end, and was removed. */
export function cannotBeWritten(file: string, error: unknown): PalimpsestError {
  return new PalimpsestError(
    isDiskFull(error) ? "store-full" : "store-unavailable",
    `${file} cannot be written: ${fileProblem(error)}`,
    { advice: "Nothing of it is left. Choose a folder on another disk, or make room.", cause: error },
  );
}

/** Also where only this user's share of the disk is used up, or the file may not become larger. */
export function isDiskFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "EFBIG"].includes(fileErrorCode(error) ?? "");
}
