/** The request of a hook's client to the daemon: one line of JSON, answered by text for the host. */

export interface DaemonRequest {
  readonly host: string;
  /** The unmodified input of the hook. */
  readonly given: string;
  /** False: no response is needed, and only messages are imported. */
  readonly isAnswered: boolean;
  /** The version of the client: a daemon of another version ends after its response. */
  readonly version: string;
}

/** Commands of a person to the daemon. Both are answered by its status. */
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
