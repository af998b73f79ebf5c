import { toolArguments } from "@/lib/engine/tool-arguments";
import type { Executor } from "@/server/executors/contract";

/** One call with exactly the mapped arguments; its result goes to the node's write key. */
export const toolExecutor: Executor = async ({ node, view, tools }, gateways) => {
  if (node.kind !== "tool") return { type: "failure", code: "wrong_kind", retryable: false, detail: "" };
  const { server, tool } = node.config;
  const answer = await gateways.tools.call({ call_id: "call", server, tool, arguments: toolArguments(node, view) });
  if (answer.status === "refused") return { type: "failure", code: answer.code, retryable: false, detail: answer.message };
  if (answer.status === "tool_error") {
    // A write whose answer is an error may have happened in part: only what is safe to repeat is tried again.
    const idempotent = tools.some((pin) => pin.server === server && pin.tool === tool && (pin.idempotent || pin.effect === "read"));

    return {
      type: "failure",
      code: "tool_error",
      retryable: idempotent && node.effect !== "irreversible",
      detail: JSON.stringify(answer.result).slice(0, 10_000),
    };
  }
  const path = node.config.write_to ?? node.write_keys[0];

  return { type: "result", actions: path === undefined ? [] : [{ type: "update_memory", updates: [{ path, value: answer.result }] }] };
};
