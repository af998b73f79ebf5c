import type { QuietExecutor } from "@/server/executors/contract";

/** No work: the control plane enters and leaves the child. */
export const subgraphExecutor: QuietExecutor = () => ({ type: "result", actions: [] });
