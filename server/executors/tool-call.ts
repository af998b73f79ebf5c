import type { NodeOf, PinnedTool } from "@/lib/graph/document";
import type { JsonObject } from "@/lib/json";
import type { Value } from "@/server/executors/answer-json";
import type { Gateways } from "@/server/executors/contract";
import { createFailure, type Failure } from "@/server/executors/written";

/** Calls a tool. @param task the node's own or one item's */
export const callTool = async (
  node: NodeOf<"tool">,
  pins: readonly PinnedTool[],
  args: JsonObject,
  task: string,
  gateways: Gateways,
): Promise<Value | Failure> => {
  const { server, tool } = node.config;
  const answer = await gateways.tools.call({ task, call_id: "call", server, tool, arguments: args });
  if (answer.status === "refused") return createFailure(answer.code, false, answer.message);
  if (answer.status === "ok") return { type: "value", value: answer.result };
  // A failed write may have happened in part; only idempotent calls are retried.
  const idempotent = pins.some((pin) => pin.server === server && pin.tool === tool && (pin.idempotent || pin.effect === "read"));

  return createFailure("tool_error", idempotent && node.effect !== "irreversible", JSON.stringify(answer.result).slice(0, 10_000));
};
