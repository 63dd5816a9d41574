/** Merges what is known about a conversation's host. The initial folder and the parent stay; branch and model follow the newest turn. */
import type { HostContext } from "../../types.ts";

export const NO_HOST: HostContext = {
  host: null,
  project: null,
  branch: null,
  model: null,
  parent: null,
  relation: null,
};

export function joinHostContext(known: HostContext, incoming: HostContext): HostContext {
  return {
    host: known.host ?? incoming.host,
    project: known.project ?? incoming.project,
    branch: incoming.branch ?? known.branch,
    model: incoming.model ?? known.model,
    parent: known.parent ?? incoming.parent,
    relation: known.parent === null ? incoming.relation : known.relation,
  };
}
