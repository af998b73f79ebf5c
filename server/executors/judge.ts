import type { QuietExecutor } from "@/server/executors/contract";

/** Nothing to do: the control plane judges by the graph's rules and the case's verdicts, and asks no model. */
export const judgeExecutor: QuietExecutor = () => ({ type: "result", actions: [] });
