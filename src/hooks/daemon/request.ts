/** What a hook's small program asks the daemon: one line of JSON, answered by text for the host. */

export interface DaemonRequest {
  readonly host: string;
  /** What the host gave to the hook, as it came. */
  readonly given: string;
  /** False: nobody waits, and only what was said is taken in. */
  readonly isAnswered: boolean;
  /** Of the package that asks: a daemon of another one ends after its answer. */
  readonly version: string;
}

/** What a person asks the daemon. Both are answered by its status. */
export interface DaemonControl {
  readonly control: "status" | "stop";
}

export interface DaemonStatus {
  readonly pid: number;
  readonly version: string;
}

export function parseRequest(text: string): DaemonRequest | DaemonControl | null {
  try {
    const { host, given, isAnswered, version, control } = Object(JSON.parse(text));
    if (control === "status" || control === "stop") return { control };
    const isWhole = [host, given, version].every((value) => typeof value === "string");
    return isWhole ? { host, given, isAnswered: isAnswered === true, version } : null;
  } catch {
    return null;
  }
}
