import type { Caller, VersionReach } from "@/server/trpc/routers/mcp/server-reach";
import type { NameOf } from "@/lib/graph/analyse/labels";
import { count } from "@/lib/format";
import { TOOL_NODES } from "@/lib/mcp/tool-use";

/** "Plan the change: the agent planner (not allowed)". */
export const describeCaller = ({ node, by }: Caller, allowed: readonly string[], nameOf: NameOf): string => {
  const who = by.map((id) => {
    const name = id === TOOL_NODES ? "a tool node" : `the agent ${id}`;

    return allowed.includes(id) ? name : `${name} (not allowed)`;
  });

  return `${nameOf(node)}: ${who.join("; ")}`;
};

/** "2 of 3 reachable actions need approval: “Approve”." */
export const describeBetween = ({ gated, all, gates }: VersionReach["waits"], nameOf: NameOf): string => {
  if (all === 0) return "none: it reaches nothing outside the run.";
  const named = gates.map((gate) => `“${nameOf(gate)}”`).join(", ");
  const by = gated === 0 ? "" : named === "" ? ", by rule" : `: ${named}`;

  return `${count(gated)} of ${count(all)} reachable ${all === 1 ? "action" : "actions"} ${gated === 1 ? "needs" : "need"} approval${by}.`;
};
