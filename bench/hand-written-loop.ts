/**
 * The baseline for the engine: the same rows on the same schema with the same pragmas, written by a
 * plain loop in one thread. It makes the same hashes, frames, salts and token estimates and sends the same
 * statements, and knows nothing else: one message format, no checks, no recognition, no scopes, no other thread.
 */
import { hash, randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { constants, zstdCompressSync } from "node:zlib";
import { estimateTokens } from "../src/text/estimate-tokens.ts";
import { type LoopStatements, prepareStatements } from "./loop-statements.ts";
import type { AgentBlock, AgentMessage, Turn } from "./standard-workload.ts";

const COMPRESS_ABOVE_BYTES = 2048;
const LARGEST_CHUNK = 64 * 1024;
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
const MESSAGES_PER_CONVERSATION = 2 ** 28;
const ORDINAL_GAP = 1024;
const LINES_PER_TRANSACTION = 500;
const SCHEMA = readFileSync(new URL("../src/store/sqlite/schema.sql", import.meta.url), "utf8");

/** A conversation's row, updated while messages are written. */
interface Head {
  readonly conversation_id: number;
  last_seq: number;
  token_count: number;
  head_hash: Uint8Array;
}

interface LoopMessage {
  readonly key: string;
  readonly format: "message" | "pi";
  readonly content: Buffer;
  readonly createdAt: string;
  readonly message: AgentMessage;
}

export class HandWrittenLoop {
  readonly #database: DatabaseSync;
  readonly #statements: LoopStatements;

  /** `pragmas`: the settings that durability depends on, as the engine's store reports them. */
  constructor(file: string, pragmas: Readonly<Record<string, string>>) {
    this.#database = new DatabaseSync(file);
    for (const [name, value] of Object.entries(pragmas)) this.#database.exec(`PRAGMA ${name} = ${value}`);
    this.#database.exec(SCHEMA);
    this.#statements = prepareStatements(this.#database);
  }

  commitTurn(session: string, turn: Turn): void {
    this.commitTurns(session, [turn]);
  }

  /** In one transaction. */
  commitTurns(session: string, turns: readonly Turn[]): void {
    this.#database.exec("BEGIN IMMEDIATE");
    for (const turn of turns) this.#writeTurn(session, turn);
    this.#database.exec("COMMIT");
  }

  /** A pi session file, as many lines in one transaction as the engine takes. */
  importTranscript(file: string): void {
    const lines = splitLines(readFileSync(file));
    const session = String(JSON.parse(lines[0]?.toString("utf8") ?? "{}").id);
    for (let from = 0; from < lines.length; from += LINES_PER_TRANSACTION)
      this.#importLines(file, session, lines, from);
  }

  close(): void {
    this.#database.close();
  }

  #writeTurn(session: string, turn: Turn): void {
    const head = this.#findOrCreate(session);
    if (this.#statements.findTurn.get(head.conversation_id, turn.key) !== undefined) return;
    const keys = turn.messages.map((_, index) => `${turn.key}#${index}`);
    const firstSeq = head.last_seq + 1;
    turn.messages.forEach((message, index) => {
      const content = Buffer.from(JSON.stringify(message), "utf8");
      const createdAt = new Date(message.timestamp).toISOString();
      this.#writeMessage(head, { key: keys[index] ?? "", format: "message", content, createdAt, message });
    });
    const digest = sha256(JSON.stringify(keys));
    this.#statements.insertTurn.run(head.conversation_id, turn.key, digest, firstSeq, keys.length);
    this.#writeHead(head);
  }

  #importLines(file: string, session: string, lines: readonly Buffer[], from: number): void {
    this.#database.exec("BEGIN IMMEDIATE");
    const head = this.#findOrCreate(session);
    const end = Math.min(from + LINES_PER_TRANSACTION, lines.length);
    for (let line = from; line < end; line++) this.#writeLine(head, line, lines[line] as Buffer);
    const { size, mtimeMs } = statSync(file);
    const last = lines[end - 1] as Buffer;
    this.#statements.insertState.run(
      head.conversation_id,
      file,
      end,
      size,
      mtimeMs,
      last.byteOffset + last.length + 1,
      sha256(last),
      last.length,
      new Date().toISOString(),
    );
    this.#writeHead(head);
    this.#database.exec("COMMIT");
  }

  #writeLine(head: Head, line: number, content: Buffer): void {
    const entry = JSON.parse(content.toString("utf8"));
    const isMessage = entry.type === "message";
    const createdAt = new Date(entry.timestamp).toISOString();
    if (isMessage)
      this.#writeMessage(head, { key: entry.id, format: "pi", content, createdAt, message: entry.message });
    this.#statements.insertLine.run(
      head.conversation_id,
      line,
      isMessage ? "message" : "event",
      isMessage ? head.conversation_id * MESSAGES_PER_CONVERSATION + head.last_seq : null,
      isMessage ? entry.id : null,
      isMessage ? entry.parentId : null,
      sha256(content),
      isMessage ? null : "text",
      isMessage ? null : content.toString("utf8"),
    );
  }

  #writeMessage(head: Head, { key, format, content, createdAt, message }: LoopMessage): void {
    const seq = head.last_seq + 1;
    const id = head.conversation_id * MESSAGES_PER_CONVERSATION + seq;
    const role = message.role === "toolResult" ? "tool" : message.role;
    const salt = randomBytes(16);
    const digest = hash("sha256", Buffer.concat([salt, content]), "hex");
    const previous = Buffer.from(head.head_hash).toString("hex");
    const chained = sha256([previous, seq, role, format, createdAt, digest].join("\n"));
    const { encoding, stored } = encode(content);
    const tokens = countTokens(message);
    this.#statements.insertMessage.run(
      id,
      head.conversation_id,
      seq,
      key,
      role,
      format,
      encoding,
      stored,
      tokens,
      createdAt,
      salt,
      Buffer.from(digest, "hex"),
      chained,
    );
    this.#writeParts(id, message);
    this.#statements.insertContextItem.run(head.conversation_id, seq * ORDINAL_GAP, id, tokens);
    head.last_seq = seq;
    head.token_count += tokens;
    head.head_hash = chained;
  }

  #writeParts(id: number, message: AgentMessage): void {
    const { insertPart } = this.#statements;
    if (message.role === "toolResult")
      insertPart.run(id, 0, "tool", message.toolCallId ?? null, message.toolName ?? null, "completed");
    else
      message.content.forEach((block, ordinal) => {
        if (block.type === "text") insertPart.run(id, ordinal, "text", null, null, null);
        else insertPart.run(id, ordinal, "tool", block.id, block.name, "pending");
      });
  }

  #findOrCreate(session: string): Head {
    const found = this.#statements.findConversation.get(session);
    if (found !== undefined) return found as unknown as Head;
    const now = new Date().toISOString();
    const uid = `conv_${randomBytes(8).toString("hex")}`;
    this.#statements.insertConversation.run(uid, session, now, now);
    return this.#statements.findConversation.get(session) as unknown as Head;
  }

  #writeHead(head: Head): void {
    this.#statements.updateConversation.run(
      head.last_seq,
      head.token_count,
      head.head_hash,
      new Date().toISOString(),
      head.conversation_id,
    );
  }
}

function splitLines(file: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < file.length; ) {
    const end = file.indexOf(0x0a, start);
    lines.push(file.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

function sha256(data: string | Buffer): Buffer {
  return hash("sha256", data, "buffer");
}

function encode(content: Buffer): { encoding: "text" | "zstd"; stored: string | Buffer } {
  if (content.length > COMPRESS_ABOVE_BYTES) {
    const chunkSize = Math.min(content.length, LARGEST_CHUNK);
    const stored = zstdCompressSync(content, { ...COMPRESSION, chunkSize });
    if (stored.length < content.length) return { encoding: "zstd", stored };
  }
  return { encoding: "text", stored: content.toString("utf8") };
}

function countTokens(message: AgentMessage): number {
  const tokens = message.content.reduce((sum, block) => sum + blockTokens(block), 0);
  return message.role === "toolResult" ? tokens + estimateTokens(message.toolName ?? "") : tokens;
}

function blockTokens(block: AgentBlock): number {
  if (block.type === "text") return estimateTokens(block.text);
  return estimateTokens(block.name) + estimateTokens(JSON.stringify(block.arguments));
}
