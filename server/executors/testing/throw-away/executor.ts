import { getValueAtText } from "@/lib/graph/path";
import type { QuietExecutor } from "@/server/executors/contract";
import { echoConfigSchema } from "./kind";

export const runEcho: QuietExecutor = (buildInput) => {
  const { node, view } = buildInput();
  const { from, write_to: path } = echoConfigSchema.parse(node.config);

  return { type: "result", actions: [{ type: "update_memory", updates: [{ path, value: getValueAtText(view, from) ?? null }] }] };
};
