import type { QuietExecutor } from "@/server/executors/contract";

/** Nothing to do: the control plane evaluates the edges. */
export const routerExecutor: QuietExecutor = () => ({ type: "result", actions: [] });
