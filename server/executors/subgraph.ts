import type { QuietExecutor } from "@/server/executors/contract";

/** Nothing to do: the control plane enters the child, and leaves it. */
export const subgraphExecutor: QuietExecutor = () => ({ type: "result", actions: [] });
