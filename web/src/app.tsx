/** The frame of the page: sign-in, navigation, theme and keyboard shortcuts. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type FormEvent, useCallback, useEffect, useMemo, useState } from "react";
import { ApiError } from "../../src/http/client.ts";
import { ClientContext, problemText } from "./api.ts";
import { ConversationPage } from "./conversation-page.tsx";
import { ConversationsPage } from "./conversations-page.tsx";
import { FilePage, FilesPage } from "./files-page.tsx";
import { HealthPage } from "./health-page.tsx";
import { useLiveChanges } from "./live-changes.ts";
import { MemoriesPage, MemoryPage } from "./memories-page.tsx";
import { NoSuchPage } from "./missing.tsx";
import { go, Link, useAddress } from "./router.tsx";
import { clientOf, forgetToken, keepToken, storedToken, tokenOfLink } from "./session.ts";

/**
 * A cache per token, so that the next user who signs in does not see its data. Chunks of messages that are
 * out of view are dropped soon, so that memory stays bounded.
 */
function newCache(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        gcTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 2 && !(error instanceof ApiError && !error.problem.retryable),
      },
    },
  });
}

export function App() {
  const [token, setToken] = useState(storedToken);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    tokenOfLink().then(
      (found) => found !== null && setToken(found),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  }, []);
  const session = useMemo(
    () => (token === null ? null : { token, client: clientOf(token), cache: newCache() }),
    [token],
  );
  // Another tab may have opened a newer session meanwhile, which must stay.
  const onRefused = useCallback(() => {
    if (storedToken() === token) forgetToken();
    setToken(storedToken());
  }, [token]);
  if (session === null) return <SignIn problem={problem} onToken={setToken} />;
  const leave = () => {
    forgetToken();
    setToken(null);
  };
  return (
    <QueryClientProvider client={session.cache}>
      <ClientContext value={session.client}>
        <Frame key={session.token} token={session.token} onLeave={leave} onRefused={onRefused} />
      </ClientContext>
    </QueryClientProvider>
  );
}

const WAYS = [
  ["/", "Conversations", "c"],
  ["/memories", "Memories", "m"],
  ["/files", "Files", "f"],
  ["/health", "Health", "h"],
] as const;

interface FrameProps {
  readonly token: string;
  readonly onLeave: () => void;
  readonly onRefused: () => void;
}

function Frame({ token, onLeave, onRefused }: FrameProps) {
  const { pathname } = useAddress();
  const [theme, switchTheme] = useTheme();
  useLiveChanges(token, onRefused);
  useKeys();
  const isHere = (href: string) => (href === "/" ? /^\/($|c\/)/.test(pathname) : pathname.startsWith(href));
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="frame">
        <Link className="brand" href="/">
          <img src="/icon.svg" alt="" width="22" height="22" /> Palimpsest
        </Link>
        <nav aria-label="Views">
          {WAYS.map(([href, name]) => (
            <Link key={href} href={href} aria-current={isHere(href) ? "page" : undefined}>
              {name}
            </Link>
          ))}
        </nav>
        <button
          type="button"
          className="quiet"
          onClick={switchTheme}
          aria-label="Switch between light and dark"
        >
          {theme === "dark" ? "Light" : "Dark"}
        </button>
        <button type="button" className="quiet" onClick={onLeave}>
          Sign out
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        <View pathname={pathname} />
      </main>
    </>
  );
}

function View({ pathname }: { readonly pathname: string }) {
  const [, kind = "", name = "", ...rest] = pathname.split("/");
  const id = decoded(name);
  const isList = id === "" && rest.length === 0;
  if (kind === "" && isList) return <ConversationsPage />;
  if (kind === "memories" && isList) return <MemoriesPage />;
  if (kind === "files" && isList) return <FilesPage />;
  if (kind === "health" && isList) return <HealthPage />;
  const isOne = id !== null && id !== "" && rest.every((part) => part === "");
  if (kind === "c" && isOne) return <ConversationPage key={id} id={id} />;
  if (kind === "memories" && isOne) return <MemoryPage key={id} id={id} />;
  if (kind === "files" && isOne) return <FilePage key={id} id={id} />;
  return <NoSuchPage pathname={pathname} />;
}

/** Null for invalid escapes. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** `/` searches; `g` and a letter goes to a view. */
function useKeys(): void {
  useEffect(() => {
    let isGoing = false;
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (target instanceof HTMLElement && target.closest("input, textarea, select") !== null) return;
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      if (key === "/") {
        event.preventDefault();
        document.querySelector<HTMLInputElement>("input[type=search]")?.focus();
      }
      const way = WAYS.find(([, , letter]) => letter === key);
      if (isGoing && way !== undefined) go(way[0]);
      isGoing = key === "g";
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

type Theme = "light" | "dark";
const KEY = "palimpsest-theme";

/** What the person chose here, else what the system prefers. */
function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(() => {
    const stored = localStorage.getItem(KEY);
    if (stored === "light" || stored === "dark") return stored;
    return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  });
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const change = () => {
    const other = theme === "dark" ? "light" : "dark";
    localStorage.setItem(KEY, other);
    setTheme(other);
  };
  return [theme, change];
}

/** The sign-in form, shown without a session. */
interface Props {
  readonly problem: string | null;
  readonly onToken: (token: string) => void;
}

function SignIn({ problem, onToken }: Props) {
  const [text, setText] = useState("");
  const [refusal, setRefusal] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await clientOf(text).look("conversations list", { limit: 1 });
      keepToken(text);
      onToken(text);
    } catch (error) {
      setRefusal(problemText(error));
    }
  };
  return (
    <main className="sign-in">
      <h1>Palimpsest</h1>
      <p>
        Run <code>lcm ui</code> and open the link that it prints, or paste a token from{" "}
        <code>lcm token create</code>.
      </p>
      <form onSubmit={submit}>
        <label htmlFor="token">Token</label>
        <input
          id="token"
          type="password"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" disabled={text === ""}>
          Sign in
        </button>
      </form>
      <p className="error-text" role="alert">
        {refusal ?? problem}
      </p>
    </main>
  );
}
