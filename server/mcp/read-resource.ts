import type { PinnedTool } from "@/lib/graph/document";
import type { ResourceFault } from "@/lib/graph/triggers/resource";
import type { McpServerRow } from "@/server/store/mcp/row";
import { noteOf, prepare, type CallDeps } from "./call";
import { readUsableServer } from "./confirmed-server";
import type { McpTarget } from "./contract";
import { pinsOf } from "./inspect";
import type { ResourceAnswer } from "./resource-answer";

export type ResourcePlace = { readonly workspace: string; readonly server: string; readonly uri: string };

export type ResourceTarget = ResourcePlace &
  Pick<McpTarget, "environment" | "caller"> & {
    readonly tools: readonly Pick<PinnedTool, "server" | "tool" | "definition_digest">[];
  };

export type ResourceOutcome = ResourceAnswer | { readonly ok: false; readonly fault: ResourceFault };

/** Reads as a call reads: the same server, definitions, callers and egress. */
export type ReadRemote = (target: ResourceTarget, signal: AbortSignal) => Promise<ResourceOutcome>;

const judge = (server: McpServerRow | null, { caller, tools }: ResourceTarget): ResourceFault | McpServerRow => {
  // Without a review, nothing tells another server apart.
  if (!server?.transport || server.status !== "active" || !server.pinnedIdentity) return "server_inactive";
  if (!server.allowedAgents.includes(caller)) return "server_not_allowed";
  const pins = pinsOf(server);
  if (pins.size === 0) return "server_inactive";

  return tools.every((tool) => tool.server !== server.id || pins.get(tool.tool) === tool.definition_digest) ? server : "server_drifted";
};

const look = async (deps: CallDeps, target: ResourceTarget): Promise<ResourceFault | McpServerRow> =>
  judge(await readUsableServer(deps, target.workspace, target.server), target);

const no = (fault: ResourceFault): ResourceOutcome => ({ ok: false, fault });

export const createReadResource =
  (deps: CallDeps, { expect }: Pick<ResourceChanges, "expect">): ReadRemote =>
  async (target, signal) => {
    const server = await look(deps, target);
    if (typeof server === "string") return no(server);
    const from = deps.clock.now();
    const ready = await prepare(deps, target, { server }, true);
    if (ready === "drifted") return no("server_drifted");
    if (ready === "unreachable") {
      noteOf(deps, target, from, ready);

      return no(ready);
    }
    // An admin's changes meanwhile count.
    const again = await look(deps, target);
    if (typeof again === "string") return no(again);

    if (again.revision !== server.revision) return no("server_inactive");
    expect(target);

    return ready.connection.readResource(target.uri, signal);
  };

export type ResourceChanges = {
  readonly expect: (place: ResourcePlace) => void;
  /** Ignores a place that was not read: a tool host may be hostile. */
  readonly note: (place: ResourcePlace) => void;
  readonly take: () => readonly ResourcePlace[];
};

export const createResourceChanges = (): ResourceChanges => {
  const expected = new Set<string>();
  const changed = new Map<string, ResourcePlace>();
  const keyOf = ({ workspace, server, uri }: ResourcePlace): string => JSON.stringify([workspace, server, uri]);

  return {
    expect: (place) => void expected.add(keyOf(place)),
    note: (place) => {
      if (expected.has(keyOf(place))) changed.set(keyOf(place), place);
    },
    take: () => {
      const taken = [...changed.values()];
      changed.clear();

      return taken;
    },
  };
};
