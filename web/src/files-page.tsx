/** Attached files and long tool results: descriptions and full content. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { problemText, useClient, useOperation } from "./api.ts";
import { Code, languageOf } from "./code.tsx";
import { bytes, count, time } from "./format.ts";
import { NotFound } from "./missing.tsx";
import { Link, useAddress } from "./router.tsx";
import { ShowMore } from "./show-more.tsx";

export function FilesPage() {
  const client = useClient();
  const conversation = useAddress().searchParams.get("conversation");
  const only = conversation === null ? {} : { conversation };
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ["files list", conversation],
    queryFn: ({ pageParam, signal }) =>
      client.look(
        "files list",
        { ...only, limit: 100, ...(pageParam === -1 ? {} : { from: pageParam }) },
        { signal },
      ),
    initialPageParam: -1,
    getNextPageParam: ({ next }) => next,
  });
  const files = data?.pages.flatMap((page) => page.files) ?? [];
  return (
    <section className="page">
      <h1>Files</h1>
      {conversation === null ? null : (
        <p className="facts">
          Only files of <Link href={`/c/${conversation}`}>{conversation}</Link>.{" "}
          <Link href="/files">Show all</Link>
        </p>
      )}
      {error === null ? null : <p className="error-text">{problemText(error)}</p>}
      {data !== undefined && files.length === 0 ? (
        <p className="muted">No attached files or long tool results.</p>
      ) : null}
      <ul className="cards">
        {files.map((file) => (
          <li key={file.id}>
            <Link href={`/files/${file.id}`}>
              <span className="title">{file.name ?? file.tool ?? file.id}</span>
              <span className="facts">
                <span className="tag">{file.kind}</span>
                <span>{bytes(file.bytes)}</span>
                <span>{count(file.lines)} lines</span>
                <span>{time(file.createdAt)}</span>
              </span>
              <span className="opening">{file.description.slice(0, 200)}</span>
            </Link>
          </li>
        ))}
      </ul>
      <ShowMore hasMore={hasNextPage} onMore={() => void fetchNextPage()} />
    </section>
  );
}

export function FilePage({ id }: { readonly id: string }) {
  const client = useClient();
  const { data: file, error } = useOperation("files show", { id });
  const content = useOperation("files cat", { id, startByte: 0, endByte: 65_536 });
  if (error !== null) return <NotFound error={error} />;
  if (file === undefined) return <p className="muted page">Loading …</p>;
  const save = async () => {
    const address = URL.createObjectURL(await (await client.stream("files cat", { id })).blob());
    const link = document.createElement("a");
    link.href = address;
    link.download = file.name ?? id;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  };
  const text = content.data?.content?.text ?? null;
  return (
    <section className="page">
      <h1>{file.name ?? file.tool ?? file.id}</h1>
      <p className="facts">
        <span className="tag">{file.kind}</span>
        <span>{file.mime ?? ""}</span>
        <span>{bytes(file.bytes)}</span>
        <span>{count(file.lines)} lines</span>
        <Link href={`/c/${file.conversation}?seq=${file.message.split("_").at(-1)}`}>in its message</Link>
      </p>
      <button type="button" onClick={() => void save()}>
        Download
      </button>
      <h2>Description</h2>
      <pre className="words">{file.description}</pre>
      <h2>{file.bytes > 65_536 ? "First 64 kB" : "Content"}</h2>
      {text === null ? (
        <p className="muted">{content.isPending ? "Loading …" : "The content is binary."}</p>
      ) : (
        <Code text={text} language={languageOf(file.name ?? "")} label="" />
      )}
    </section>
  );
}
