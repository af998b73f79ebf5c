import type { QuietExecutor } from "@/server/executors/contract";

/** No work: the control plane evaluates the edges. */
export const routerExecutor: QuietExecutor = () => ({ type: "result", actions: [] });
