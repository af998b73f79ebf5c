/** Who calls a server in a published version, and whether the registry lets them. */
import type { Caller } from "@/server/trpc/routers/mcp/server-reach";
import type { NameOf } from "@/lib/graph/analyse/words";
import { TOOL_NODES } from "@/lib/mcp/tool-use";

/** "Plan the change: planner, who is not allowed". */
export const callerText = ({ node, by }: Caller, allowed: readonly string[], nameOf: NameOf): string => {
  const who = by.map((id) => {
    const name = id === TOOL_NODES ? "a tool node" : `the agent ${id}`;

    return allowed.includes(id) ? name : `${name}, which is not allowed`;
  });

  return `${nameOf(node)}: ${who.join("; ")}`;
};
