/**
 * The folder `files` beside the database: contents that are too large for a row, each under its hash. Only the owner may read
 * it. A file there never changes: it is written elsewhere, made durable, and moved to its place. Links are never followed,
 * and reads use the opened file: names come from hashes alone, whatever a row contains.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { isPalimpsestError, PalimpsestError } from "../../../errors.ts";
import { fileErrorCode, fileProblem } from "../../../text/file-problem.ts";
import { type FramedContent, FrameMaker } from "../../frames.ts";
import { damagedContent } from "../../store-errors.ts";

const HASH = /^[0-9a-f]{64}$/;
const ENDING = ".zst";
/** Why a content cannot be opened, by system error code. */
const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "is missing",
  ELOOP: "is a link, and links are not followed",
};
/** Contents that are being written. */
const UNFINISHED = "unfinished";
const UNFINISHED_NAME = /^[0-9a-f]{32}$/;

export interface StoredRange {
  readonly offset: number;
  readonly length: number;
}

export class ContentFolder {
  readonly #root: string;

  constructor(databaseFile: string) {
    this.#root = path.join(path.dirname(databaseFile), "files");
  }

  /** Writes a content that comes in pieces, whose hash may be known. */
  startWriting(hash: string | null = null): ContentWriter {
    return writing(() => {
      makeFolder(this.#root);
      const folder = path.join(this.#root, UNFINISHED);
      makeFolder(folder);
      return new ContentWriter(path.join(folder, randomBytes(16).toString("hex")), hash);
    });
  }

  /** Moves a written content to its place. The caller holds the write lock. */
  keep({ file, content }: WrittenContent): void {
    const place = this.#placeOf(content.hash);
    writing(() => {
      makeFolder(path.dirname(place));
      renameSync(file, place);
      syncFolder(path.dirname(place));
    });
  }

  /** A range of a stored content of `size` bytes, from one open file. */
  read(hash: string, size: number, { offset, length }: StoredRange): Uint8Array {
    const descriptor = this.#open(hash);
    try {
      // Checked before memory is allocated for sizes from a damaged table.
      requireSize(descriptor, hash, size);
      const bytes = new Uint8Array(length);
      let read = 0;
      while (read < length) {
        const more = readSync(descriptor, bytes, read, length - read, offset + read);
        if (more === 0) throw tooShort(hash);
        read += more;
      }
      return bytes;
    } catch (error) {
      throw isPalimpsestError(error) ? error : unreadable(hash, error);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Every stored content, and remnants of interrupted writes. Other files are ignored. */
  list(): { readonly hash: string | null; readonly file: string; readonly bytes: number }[] {
    return entries(this.#root).flatMap((name) =>
      entries(path.join(this.#root, name)).flatMap((entry) => {
        const file = path.join(this.#root, name, entry);
        const hash = entry.endsWith(ENDING) ? entry.slice(0, -ENDING.length) : "";
        const isContent = HASH.test(hash) && name === hash.slice(0, 2);
        const isUnfinished = name === UNFINISHED && UNFINISHED_NAME.test(entry);
        if (!isContent && !isUnfinished) return [];
        return [{ hash: isContent ? hash : null, file, bytes: lstatSync(file).size }];
      }),
    );
  }

  /** The caller holds the write lock, and has checked that no row refers to it. */
  remove(hash: string): void {
    this.removeFile(this.#placeOf(hash));
  }

  /** Removes a listed file. */
  removeFile(file: string): void {
    rmSync(file, { force: true });
  }

  #placeOf(hash: string): string {
    if (!HASH.test(hash)) throw damagedContent("a file's hash is none");
    return path.join(this.#root, hash.slice(0, 2), `${hash}${ENDING}`);
  }

  /** Each folder of the path must be a folder and not a link, before and after the file was opened. */
  #open(hash: string): number {
    const place = this.#placeOf(hash);
    const folders = [this.#root, path.dirname(place)];
    folders.forEach(requireFolder);
    let descriptor: number;
    try {
      descriptor = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW);
    } catch (error) {
      throw unreadable(hash, error);
    }
    try {
      folders.forEach(requireFolder);
      const opened = fstatSync(descriptor);
      const inPlace = lstatSync(place, { throwIfNoEntry: false });
      if (!opened.isFile() || opened.ino !== inPlace?.ino || opened.dev !== inPlace.dev)
        throw damagedContent(`${hash}${ENDING} does not have the expected content`);
      return descriptor;
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }
}

export interface WrittenContent {
  readonly file: string;
  readonly content: FramedContent;
}

export class ContentWriter {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #maker: FrameMaker;
  #isOpen = true;

  constructor(file: string, hash: string | null) {
    this.#file = file;
    this.#maker = new FrameMaker(hash);
    this.#descriptor = openSync(file, "wx", 0o600);
  }

  add(piece: Uint8Array): void {
    for (const { stored } of this.#maker.add(piece)) this.#write(stored);
  }

  /** Durable, but not in its place yet. */
  end(): WrittenContent {
    for (const { stored } of this.#maker.end()) this.#write(stored);
    writing(() => fsyncSync(this.#descriptor));
    this.#close();
    return { file: this.#file, content: this.#maker.content };
  }

  /** Removes all written files. */
  abandon(): void {
    this.#close();
    rmSync(this.#file, { force: true });
  }

  #write(bytes: Uint8Array): void {
    writing(() => {
      for (let written = 0; written < bytes.byteLength; )
        written += writeSync(this.#descriptor, bytes, written, bytes.byteLength - written);
    });
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }
}

/** Only its owner may read it, whatever the process's umask allows. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
    syncFolder(path.dirname(folder));
  } catch (error) {
    if (fileErrorCode(error) !== "EEXIST") throw error;
    requireFolder(folder);
  }
}

function requireFolder(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  const problem = found?.isSymbolicLink() === true ? "is not a folder but a link" : "is not a folder";
  throw damagedContent(`${path.basename(folder)} ${problem}`);
}

function requireSize(descriptor: number, hash: string, size: number): void {
  const found = fstatSync(descriptor).size;
  if (found < size) throw tooShort(hash);
  if (found > size) throw damagedContent(`${hash}${ENDING} is too long`);
}

function tooShort(hash: string): PalimpsestError {
  return damagedContent(`${hash}${ENDING} is too short`);
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function entries(folder: string): string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder).sort() : [];
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Errors caused by limits of this process, not by the file; every other read error means damage to the store. */
const NOT_ITS_FAULT = new Set(["EMFILE", "ENFILE", "ENOMEM", "EACCES", "EPERM"]);

function unreadable(hash: string, error: unknown): PalimpsestError {
  const code = fileErrorCode(error) ?? "";
  if (!NOT_ITS_FAULT.has(code))
    return damagedContent(
      `${hash}${ENDING} ${PROBLEMS[code] ?? `cannot be read: ${fileProblem(error)}`}`,
      error,
    );
  return new PalimpsestError("store-unavailable", `${hash}${ENDING} cannot be read: ${fileProblem(error)}`, {
    advice: "Let this user read the data folder and its files, and try again.",
    cause: error,
  });
}

/** Runs code that writes files, and reports why it failed. */
function writing<Result>(write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    throw isPalimpsestError(error) ? error : notWritten(error);
  }
}

const FULL = {
  code: "store-full",
  advice: "Free some space on the disk and try again; nothing of this write was stored.",
} as const;
const READ_ONLY = {
  code: "store-readonly",
  advice: "Make the data folder and its files writable for this user, or choose another with `dataDir`.",
} as const;
const FAILING = { code: "store-unavailable", advice: "Check the disk that holds the data folder." } as const;

const WRITE_PROBLEMS: Readonly<Record<string, typeof FULL | typeof READ_ONLY>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: FULL,
  EROFS: READ_ONLY,
  EACCES: READ_ONLY,
  EPERM: READ_ONLY,
};

function notWritten(error: unknown): PalimpsestError {
  const { code, advice } = WRITE_PROBLEMS[fileErrorCode(error) ?? ""] ?? FAILING;
  const message = `the content of a file cannot be written: ${fileProblem(error)}`;
  return new PalimpsestError(code, message, { advice, cause: error });
}
