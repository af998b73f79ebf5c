import { asksPerson } from "@/lib/graph/kind-of";
import type { QuietExecutor } from "@/server/executors/contract";

/** Asks; the control plane freezes the question and opens the gate. */
export const runApproval: QuietExecutor = (buildInput) => {
  const { node } = buildInput();
  const prompt = asksPerson(node) ? node.config.prompt : "";

  return { type: "result", actions: [{ type: "request_human_input", prompt }] };
};
