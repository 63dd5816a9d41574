/** Memories: a searchable list, and one memory with its history, decay, sources and actions. */
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";
import type { OutputOf } from "../../src/http/client.ts";
import { problemText, useClient, useOperation } from "./api.ts";
import { count, time } from "./format.ts";
import { FactLine, FadingCurve } from "./memory-plots.tsx";
import { NotFound } from "./missing.tsx";
import { go, Link, setParameters, useAddress } from "./router.tsx";
import { ShowMore } from "./show-more.tsx";

type Memory = OutputOf<"memory list">["memories"][number];
const STATES = ["active", "superseded", "archived", "erased"] as const;

export function MemoriesPage() {
  const client = useClient();
  const { searchParams } = useAddress();
  const state = STATES.find((one) => one === searchParams.get("state")) ?? "active";
  const [query, setQuery] = useState(searchParams.get("q") ?? "");
  const wanted = useDeferredValue(query.trim().toLowerCase());
  useEffect(() => setParameters({ q: wanted === "" ? null : wanted }), [wanted]);
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ["memory list", state],
    queryFn: ({ pageParam, signal }) =>
      client.call(
        "memory list",
        { states: [state], limit: 100, ...(pageParam === "" ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
  const memories = data?.pages.flatMap((page) => page.memories) ?? [];
  const shown = memories.filter(({ abstract, tags, factKey }) =>
    [abstract, ...tags, factKey].join("\n").toLowerCase().includes(wanted),
  );
  return (
    <section className="page">
      <h1>Memories</h1>
      <div className="filters">
        <input
          type="search"
          aria-label="Filter memories"
          placeholder="Filter   /"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <label>
          State{" "}
          <select
            value={state}
            onChange={({ target: { value } }) => setParameters({ state: value === "active" ? null : value })}
          >
            {STATES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      {error === null ? null : <p className="error-text">{problemText(error)}</p>}
      {data !== undefined && shown.length === 0 ? <p className="muted">No memories match.</p> : null}
      <ul className="cards">
        {shown.map((memory) => (
          <li key={memory.id}>
            <Link href={`/memories/${memory.id}`}>
              <span className="title">{memory.abstract || "(erased)"}</span>
              <Facts memory={memory} />
            </Link>
          </li>
        ))}
      </ul>
      <ShowMore hasMore={hasNextPage} onMore={() => void fetchNextPage()} />
    </section>
  );
}

function Facts({ memory }: { readonly memory: Memory }) {
  return (
    <span className="facts">
      <span className="tag">{memory.category}</span>
      <span>{memory.tier}</span>
      {memory.factKey === null ? null : <code>{memory.factKey}</code>}
      <span>{time(memory.createdAt)}</span>
      <span>{memory.scope}</span>
      <span>recalled {count(memory.accessCount)}×</span>
    </span>
  );
}

export function MemoryPage({ id }: { readonly id: string }) {
  const { data, error } = useOperation("memory show", { id });
  const source = useOperation("memory source", { id });
  if (error !== null) return <NotFound error={error} />;
  if (data === undefined) return <p className="muted page">Loading …</p>;
  const { memory, versions, events } = data;
  return (
    <section className="page memory">
      <h1>{memory.abstract || "Erased memory"}</h1>
      <Facts memory={memory} />
      {memory.overview === "" ? null : <p className="words">{memory.overview}</p>}
      {memory.content === "" || memory.content === memory.abstract ? null : (
        <p className="words">{memory.content}</p>
      )}
      <Actions memory={memory} />
      <h2>History</h2>
      <FactLine versions={versions} />
      <h2>Decay</h2>
      <FadingCurve memory={memory} />
      <h2>Source messages</h2>
      {source.data?.sources.length === 0 ? (
        <p className="muted">Stored manually; no source message.</p>
      ) : null}
      {sourceMessages(source.data).map((message) => (
        <blockquote key={message.id}>
          <Link href={`/c/${message.conversation}?seq=${message.seq}`}>
            {message.role} #{message.seq}
          </Link>{" "}
          <span className="words">{message.text ?? "(erased)"}</span>
        </blockquote>
      ))}
      <h2>Events</h2>
      <ul className="events">
        {events.map(({ at, action }) => (
          <li key={`${at} ${action}`}>
            {time(at)} {action}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A message that a memory came from may also support it. */
function sourceMessages(data: OutputOf<"memory source"> | undefined) {
  const messages = data?.sources.flatMap((one) => one.messages) ?? [];
  return [...new Map(messages.map((message) => [message.id, message])).values()];
}

type Editing = "edit" | "merge" | null;

function Actions({ memory }: { readonly memory: Memory }) {
  const client = useClient();
  const queries = useQueryClient();
  const [editing, setEditing] = useState<Editing>(null);
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (action: "forget" | "restore" | Changed) => {
      if (action === "forget") return client.call("memory forget", { id: memory.id });
      if (action === "restore") return client.call("memory update", { id: memory.id, restore: true });
      const { memory: saved } = await client.call("memory update", { id: memory.id, ...action });
      go(`/memories/${saved.id}`);
      return saved;
    },
    onSettled: () => {
      setEditing(null);
      return queries.invalidateQueries();
    },
  });
  if (memory.state === "erased") return null;
  return (
    <div className="actions">
      {editing === null && memory.state === "active" ? (
        <>
          <button type="button" onClick={() => setEditing("edit")}>
            Edit
          </button>
          <button type="button" onClick={() => setEditing("merge")}>
            Merge
          </button>
          <button type="button" disabled={isPending} onClick={() => mutate("forget")}>
            Forget
          </button>
        </>
      ) : null}
      {memory.state === "archived" ? (
        <button type="button" disabled={isPending} onClick={() => mutate("restore")}>
          Restore
        </button>
      ) : null}
      {editing === null ? null : (
        <ChangeForm
          memory={memory}
          isMerge={editing === "merge"}
          isPending={isPending}
          onSave={mutate}
          onCancel={() => setEditing(null)}
        />
      )}
      {error === null ? null : <p className="error-text">{problemText(error)}</p>}
    </div>
  );
}

interface Changed {
  readonly text: string;
  readonly merge?: readonly string[];
}

interface ChangeFormProps {
  readonly memory: Memory;
  readonly isMerge: boolean;
  readonly isPending: boolean;
  readonly onSave: (changed: Changed) => void;
  readonly onCancel: () => void;
}

/** New words for one memory, or for two merged ones. */
function ChangeForm({ memory, isMerge, isPending, onSave, onCancel }: ChangeFormProps) {
  const [text, setText] = useState(memory.abstract);
  const [other, setOther] = useState("");
  const isComplete = text.trim() !== "" && (!isMerge || other !== "");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSave({ text, ...(isMerge ? { merge: [other] } : {}) });
      }}
    >
      {isMerge ? (
        <OtherMemories
          memory={memory}
          chosen={other}
          onChoose={(chosen) => {
            setOther(chosen.id);
            setText(`${memory.abstract} ${chosen.abstract}`);
          }}
        />
      ) : null}
      <label htmlFor="abstract">
        {isMerge
          ? "One memory replaces both; they stay on record"
          : "Creates a new version; the old one stays on record"}
      </label>
      <textarea id="abstract" value={text} onChange={(event) => setText(event.target.value)} rows={3} />
      <button type="submit" disabled={isPending || !isComplete}>
        Save
      </button>
      <button type="button" className="quiet" onClick={onCancel}>
        Cancel
      </button>
    </form>
  );
}

const MOST_OFFERED = 1_000;

interface OtherMemoriesProps {
  readonly memory: Memory;
  readonly chosen: string;
  readonly onChoose: (memory: Memory) => void;
}

/** Only memories of one scope are merged. */
function OtherMemories({ memory, chosen, onChoose }: OtherMemoriesProps) {
  const { data } = useOperation("memory list", { scopes: [memory.scope], limit: MOST_OFFERED });
  const others = data?.memories.filter(({ id }) => id !== memory.id) ?? [];
  return (
    <>
      <label htmlFor="other">Merge it with</label>
      <select
        id="other"
        value={chosen}
        onChange={(event) => {
          const found = others.find(({ id }) => id === event.target.value);
          if (found !== undefined) onChoose(found);
        }}
      >
        <option value="" disabled>
          {others.length === 0 ? "There is no other memory in this scope" : "Choose a memory"}
        </option>
        {others.map(({ id, abstract }) => (
          <option key={id} value={id}>
            {abstract.slice(0, 100)}
          </option>
        ))}
      </select>
    </>
  );
}
