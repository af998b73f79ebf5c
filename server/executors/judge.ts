import type { QuietExecutor } from "@/server/executors/contract";

/** Does no work: the control plane judges. */
export const judgeExecutor: QuietExecutor = () => ({ type: "result", actions: [] });
