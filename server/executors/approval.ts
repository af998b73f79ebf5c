import type { Executor } from "@/server/executors/contract";

/** Asks: the control plane freezes what is asked and opens the gate. */
export const approvalExecutor: Executor = ({ node }) => {
  const prompt = node.kind === "approval" ? node.config.prompt : "";

  return Promise.resolve({ type: "result", actions: [{ type: "request_human_input", prompt }] });
};
