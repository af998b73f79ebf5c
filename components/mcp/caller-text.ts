/** Who calls a server in a published version, whether the registry lets them, and who stands between it and what it could do. */
import type { Caller, VersionReach } from "@/server/trpc/routers/mcp/server-reach";
import type { NameOf } from "@/lib/graph/analyse/labels";
import { count } from "@/lib/format";
import { TOOL_NODES } from "@/lib/mcp/tool-use";

/** "Plan the change: planner, who is not allowed". */
export const callerText = ({ node, by }: Caller, allowed: readonly string[], nameOf: NameOf): string => {
  const who = by.map((id) => {
    const name = id === TOOL_NODES ? "a tool node" : `the agent ${id}`;

    return allowed.includes(id) ? name : `${name}, which is not allowed`;
  });

  return `${nameOf(node)}: ${who.join("; ")}`;
};

/** "2 of the 3 things below wait for a person: “Approve”." */
export const betweenText = ({ gated, all, gates }: VersionReach["waits"], nameOf: NameOf): string => {
  if (all === 0) return "none; there is nothing outside the run that it reaches.";
  const named = gates.map((gate) => `“${nameOf(gate)}”`).join(", ");
  const by = gated === 0 ? "" : named === "" ? ", by rule" : `: ${named}`;

  return `${count(gated)} of ${count(all)} ${all === 1 ? "thing" : "things"} that it reaches ${gated === 1 ? "waits" : "wait"} for a person${by}.`;
};
