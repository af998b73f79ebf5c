import type { Executor } from "@/server/executors/contract";

/** Nothing to do: the control plane evaluates the edges. */
export const routerExecutor: Executor = () => Promise.resolve({ type: "result", actions: [] });
