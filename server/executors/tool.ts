import { buildToolArguments } from "@/lib/engine/tool-arguments";
import type { Executor } from "@/server/executors/contract";
import { callTool } from "@/server/executors/tool-call";
import { WRONG_KIND } from "@/server/executors/written";

/** Calls the tool once with mapped arguments. */
export const runTool: Executor = async ({ node, view, tools }, gateways) => {
  if (node.kind !== "tool") return WRONG_KIND;
  const end = await callTool(node, tools, buildToolArguments(node, view), "", gateways);
  if (end.type === "failure") return end;
  const path = node.config.write_to ?? node.write_keys[0];

  return { type: "result", actions: path === undefined ? [] : [{ type: "update_memory", updates: [{ path, value: end.value }] }] };
};
