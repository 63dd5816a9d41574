/** One message: speaker, time, parts, and its state in the displayed context. */
import { memo, type ReactNode, useMemo, useState } from "react";
import type { OutputOf } from "../../src/http/client.ts";
import { Code } from "./code.tsx";
import { count, counted, time } from "./format.ts";
import { Markdown } from "./markdown.tsx";
import { Link } from "./router.tsx";
import { ToolInput } from "./tool-input.tsx";

export type Message = OutputOf<"read">["messages"][number];
type Part = Message["parts"][number];

/** Its state in a model's context. */
export interface Fate {
  readonly kind: "shown" | "cut" | "stub" | "summary" | "out";
  readonly words: string;
  readonly summary?: string;
}

const FOLDED_CHARACTERS = 6_000;

export const MessageView = memo(function MessageView({
  message,
  fate,
}: {
  readonly message: Message;
  readonly fate: Fate | null;
}) {
  const { conversation, seq, role, createdAt, tokenCount, erasedAt, excluded } = message;
  return (
    <article
      className={`message ${role} fate-${fate?.kind ?? "none"}`}
      aria-label={`${role}, message ${seq}`}
    >
      <header>
        <span className={`role ${role}`}>{role}</span>
        <Link className="seq" href={`/c/${conversation}?seq=${seq}`}>
          #{seq}
        </Link>
        <time dateTime={createdAt}>{time(createdAt)}</time>
        <span>{counted(tokenCount, "token")}</span>
        {excluded === null ? null : <span className="tag">not in context: {excluded}</span>}
        {fate === null ? null : <span className={`tag fate ${fate.kind}`}>{fate.words}</span>}
      </header>
      {erasedAt === null ? null : <p className="muted">Erased {time(erasedAt)}.</p>}
      {message.parts.map((part, index) => (
        <PartView key={`${index} ${part.type}`} part={part} />
      ))}
      {message.parts.some(({ type }) => type === "file") ? <Images original={message.original} /> : null}
    </article>
  );
});

function PartView({ part }: { readonly part: Part }): ReactNode {
  switch (part.type) {
    case "text":
    case "compaction":
    case "other":
      return <LongText text={part.text} />;
    case "reasoning":
      return (
        <details>
          <summary>Reasoning, {count(part.text.length)} characters</summary>
          <LongText text={part.text} />
        </details>
      );
    case "tool":
      return <ToolView part={part} />;
    case "file":
      return <FileView part={part} />;
    case "patch":
      return <p className="muted">Changed {part.files.join(", ")}</p>;
    case "subtask":
      return (
        <div className="tool">
          <p className="tool-name">
            Sub-agent {part.agent ?? ""}: {part.description ?? ""}
          </p>
          <LongText text={part.prompt} />
        </div>
      );
    case "failure":
      return <p className="error-text">The call to the model failed: {part.error}</p>;
    case "retry":
      return <p className="muted">The call was retried after an error: {part.error}</p>;
    default:
      return <p className="muted">{part.type.replace("_", " ")}</p>;
  }
}

function LongText({ text }: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > FOLDED_CHARACTERS;
  return (
    <>
      <Markdown text={isLong && !isOpen ? `${text.slice(0, FOLDED_CHARACTERS)}…` : text} />
      {isLong ? (
        <button type="button" className="quiet" onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show less" : `Show all ${count(text.length)} characters`}
        </button>
      ) : null}
    </>
  );
}

function ToolView({
  part: { name, status, input, output },
}: {
  readonly part: Extract<Part, { type: "tool" }>;
}) {
  return (
    <div className={`tool ${status}`}>
      <p className="tool-name">
        {input === null ? "Result" : "Call"} {name === null ? "" : <code>{name}</code>}
        {status === "error" ? <span className="tag bad">error</span> : null}
      </p>
      {input === null ? null : <ToolInput text={input} />}
      {output === null ? null : output === "" ? <p className="muted">No text.</p> : <Code text={output} />}
    </div>
  );
}

const IMAGE = /^image\/(png|jpeg|gif|webp)$/;

/** Images of Anthropic, pi and MCP are in the original as base64, next to their type. */
function Images({ original }: { readonly original: string | null }) {
  const images = useMemo(() => imagesIn(original), [original]);
  return images.map((url, index) => (
    <img
      key={`${index} ${url.length}`}
      className="attached"
      src={url}
      alt={`attached, number ${index + 1}`}
    />
  ));
}

function imagesIn(original: string | null): string[] {
  const found: string[] = [];
  const keep = (_: string, value: unknown) => {
    const { media_type, mimeType, data }: { media_type?: unknown; mimeType?: unknown; data?: unknown } =
      Object(value);
    const type = String(media_type ?? mimeType);
    if (IMAGE.test(type) && typeof data === "string") found.push(`data:${type};base64,${data}`);
    return value;
  };
  try {
    JSON.parse(original ?? "null", keep);
  } catch {
    return [];
  }
  return found;
}

/** Only images in the message itself: nothing is requested from other servers. */
function FileView({ part: { mime, name, url } }: { readonly part: Extract<Part, { type: "file" }> }) {
  const isImage = /^data:image\/(png|jpeg|gif|webp);base64,/.test(url ?? "");
  if (isImage && url !== null) return <img className="attached" src={url} alt={name ?? "attached"} />;
  return (
    <p className="muted">
      File {name ?? ""} {mime ?? ""} {url !== null && url.length < 200 ? url : ""}
    </p>
  );
}
