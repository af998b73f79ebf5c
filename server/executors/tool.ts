import { buildToolArguments } from "@/lib/engine/tool-arguments";
import { callTool } from "@/server/executors/tool-call";
import { executeKind } from "@/server/executors/written";

/** Calls the tool once with mapped arguments. */
export const runTool = executeKind("tool", async (node, { view, tools }, gateways) => {
  const end = await callTool(node, tools, buildToolArguments(node, view), "", gateways);
  if (end.type === "failure") return end;
  const path = node.config.write_to ?? node.write_keys[0];

  return { type: "result", actions: path === undefined ? [] : [{ type: "update_memory", updates: [{ path, value: end.value }] }] };
});
