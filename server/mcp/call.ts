/** The one way to call a tool. Every condition is read again for each call, so that a suspension stops the next call of a live run. */
import { driftOf } from "@/lib/mcp/drift";
import { IDEMPOTENCY_KEY, RECEIPT } from "@/lib/mcp/meta";
import type { EgressPolicy } from "@/server/security/egress-url";
import { getMcpServer } from "@/server/store/mcp";
import type { McpServerRow, McpToolRow } from "@/server/store/mcp-row";
import { argumentsMatch } from "./arguments";
import { digestsOf } from "./catalog";
import type { Connection } from "./connection";
import type { Mcp, McpAnswer, McpCall } from "./contract";
import { noteCatalog, pinsOf, reach } from "./inspect";
import type { Manager } from "./manager";

type Target = Omit<McpCall, "effectId" | "receipt" | "arguments">;
type Denial = "unavailable" | "drifted" | "not_allowed";
type Ready = { readonly connection: Connection; readonly tool: McpToolRow };

const denied = (status: Denial): McpAnswer => ({ status, result: null });

/** What our own tables say; the server is not asked. */
const judge = (server: McpServerRow, target: Target): Denial | McpToolRow => {
  if (!server.transport || server.status !== "active") return "unavailable";
  if (!server.allowedAgents.includes(target.caller)) return "not_allowed";
  const tool = server.tools.find(({ name }) => name === target.tool);

  return tool?.pinned && tool.pinnedDigest === target.definitionDigest ? tool : "drifted";
};

/** All conditions of a call, the live definitions included. `fresh` asks the server again even if it was asked a moment ago. */
const prepare = async (manager: Manager, egress: EgressPolicy, target: Target, fresh: boolean): Promise<Denial | Ready> => {
  const server = await getMcpServer(target.workspace, target.server, egress);
  if (!server) return "unavailable";
  const tool = judge(server, target);
  if (typeof tool === "string") return tool;

  const reached = await reach(manager, target.workspace, server, fresh).catch(() => null);
  if (!reached) return "unavailable";
  if (driftOf(pinsOf(server), digestsOf(reached.catalog)).length === 0) return { connection: reached.connection, tool };
  await noteCatalog(target.workspace, server, reached.catalog, reached.connection.protocol);
  await manager.evict(target.workspace, target.server);

  return "drifted";
};

export const createCall =
  (manager: Manager, egress: EgressPolicy): Mcp["call"] =>
  async (call, signal) => {
    signal.throwIfAborted();
    // An approved effect is worth the round trip: the definitions are compared as they are now.
    const ready = await prepare(manager, egress, call, call.receipt !== null);
    if (typeof ready === "string") return denied(ready);
    if (!ready.tool.pinned || !argumentsMatch(ready.tool.pinned.input_schema, call.arguments)) {
      return {
        status: "tool_error",
        result: { error: { code: "arguments_invalid", message: "The arguments do not match the pinned schema." } },
      };
    }
    const meta = { [IDEMPOTENCY_KEY]: call.effectId, ...(call.receipt ? { [RECEIPT]: call.receipt } : {}) };

    return ready.connection.call({ tool: call.tool, arguments: call.arguments, meta }, signal);
  };

export const createCheck =
  (manager: Manager, egress: EgressPolicy): Mcp["check"] =>
  async (target) => {
    const ready = await prepare(manager, egress, target, false);

    return typeof ready === "string" ? ready : "ok";
  };
