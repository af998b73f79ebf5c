import type { QuietExecutor } from "@/server/executors/contract";

/** Does no work: the control plane enters and leaves the child. */
export const runSubgraph: QuietExecutor = () => ({ type: "result", actions: [] });
