/** Attached files and long tool results: list, read in parts, search, attach, externalise or restore. */
import { filePieces } from "./files/file-pieces.ts";
import { type FileList, type ListFilesInput, listFiles } from "./files/list-files.ts";
import { type MigrateFilesInput, type MigrateFilesReport, migrateFiles } from "./files/migrate-files.ts";
import { bytesOf, type FileRange, type FileSlice, type ReadFileInput, readFile } from "./files/read-file.ts";
import { requireFile } from "./files/require-file.ts";
import { type AttachFileInput, type AttachFileResult, attachFile } from "./ingest/attach-file.ts";
import type { IngestDependencies } from "./ingest/ingest-dependencies.ts";
import { requireInput } from "./require-input.ts";
import { type GrepFilesInput, type GrepFilesResult, grepFiles } from "./retrieve/files/grep-files.ts";

export class ContextFiles {
  readonly #use: IngestDependencies;
  readonly #arrivedIn: (conversation: string, messages: number) => Promise<void>;

  constructor(use: IngestDependencies, arrivedIn: (conversation: string, messages: number) => Promise<void>) {
    this.#use = use;
    this.#arrivedIn = arrivedIn;
  }

  /** The most recently stored files come first. */
  async list(input: ListFilesInput = {}): Promise<FileList> {
    requireInput("files.list", input);
    return listFiles(this.#use.store, input);
  }

  /** Part of a file, by lines or by bytes. */
  async read(input: ReadFileInput): Promise<FileSlice> {
    requireInput("files.read", input);
    return readFile(this.#use.store, input);
  }

  /** A whole file, or a range of it, in pieces and byte for byte. */
  async *content(id: string, range: FileRange = {}): AsyncGenerator<Uint8Array> {
    requireInput("files.content", range);
    const { store } = this.#use;
    const file = await requireFile(store, id);
    const { start, end } = await bytesOf(store, file, range);
    yield* filePieces(store, file, start, end);
  }

  /** Stores a file of any size: a message refers to it, and any part of it can be read. */
  async attach(input: AttachFileInput): Promise<AttachFileResult> {
    requireInput("files.attach", input);
    const result = await attachFile(input, this.#use);
    await this.#arrivedIn(result.conversation, 1);
    return result;
  }

  /** Externalises long tool results of old messages, or puts them back. */
  async migrate(input: MigrateFilesInput = {}): Promise<MigrateFilesReport> {
    requireInput("files.migrate", input);
    return migrateFiles(input, this.#use);
  }

  /** Searches files line by line, newest first. */
  async grep(input: GrepFilesInput): Promise<GrepFilesResult> {
    requireInput("files.grep", input);
    return grepFiles(this.#use.store, input, this.#use.clock());
  }
}
