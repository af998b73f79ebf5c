import type { QuietExecutor } from "@/server/executors/contract";

/** Does no work: the control plane evaluates the edges. */
export const runRouter: QuietExecutor = () => ({ type: "result", actions: [] });
