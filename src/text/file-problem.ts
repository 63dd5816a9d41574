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
