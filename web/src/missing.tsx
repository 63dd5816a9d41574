/** Shown for an unknown address, or for an object that does not exist. */
import { useEffect } from "react";
import { problemText } from "./api.ts";
import { Link } from "./router.tsx";

/** `error`: the server's error with its advice. */
export function NotFound({ error }: { readonly error: unknown }) {
  return (
    <section className="page">
      <h1>This cannot be shown</h1>
      <p className="error-text" role="alert">
        {problemText(error)}
      </p>
      <Ways />
    </section>
  );
}

export function NoSuchPage({ pathname }: { readonly pathname: string }) {
  useEffect(() => {
    document.title = "No such page – Palimpsest";
    return () => {
      document.title = "Palimpsest";
    };
  }, []);
  return (
    <section className="page">
      <h1>There is no page at this address</h1>
      <p>
        The link to <code>{pathname}</code> may be incomplete or from another version.
      </p>
      <Ways />
    </section>
  );
}

function Ways() {
  return (
    <p>
      Look for it in the <Link href="/">conversations</Link>, the <Link href="/memories">memories</Link> or
      the <Link href="/files">files</Link>.
    </p>
  );
}
