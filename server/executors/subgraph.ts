import type { Executor } from "@/server/executors/contract";

/** Nothing to do: the control plane enters the child, and leaves it. */
export const subgraphExecutor: Executor = () => Promise.resolve({ type: "result", actions: [] });
