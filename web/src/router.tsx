/** Routing: every view has a URL, so that it can be linked to. */
import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

/** The current location in an exported file, whose URL cannot be changed. Null in the page. */
let own: URL | null = null;

export function keepOwnAddress(start: string): void {
  own = new URL(start, "http://export.invalid");
}

/** An exported file contains only the view of the conversation. */
export function isExported(): boolean {
  return own !== null;
}

export function here(): URL {
  return own ?? new URL(location.href);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("popstate", listener);
  };
}

function tell(): void {
  for (const listener of listeners) listener();
}

export function useAddress(): URL {
  return new URL(useSyncExternalStore(subscribe, () => here().href));
}

export function go(address: string): void {
  if (own === null) history.pushState(null, "", address);
  else own = new URL(address, own);
  tell();
}

/** Changes parameters of the address without a new entry in the history. Null removes one. */
export function setParameters(changes: Readonly<Record<string, string | number | null>>): void {
  const url = here();
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, String(value));
  }
  if (own === null) history.replaceState(null, "", url);
  else own = new URL(url);
  tell();
}

/** The same view under another address. The parameters stay. */
export function replacePath(pathname: string): void {
  const url = here();
  url.pathname = pathname;
  if (own === null) history.replaceState(null, "", url);
  else own = url;
  tell();
}

/** A link within the page, unless it is opened in a new tab. */
export function Link({ href = "", ...rest }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(href);
  };
  return <a href={href} {...rest} onClick={follow} />;
}
