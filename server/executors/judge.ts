import type { QuietExecutor } from "@/server/executors/contract";

/** No work: the control plane judges by rules and verdicts without models. */
export const judgeExecutor: QuietExecutor = () => ({ type: "result", actions: [] });
