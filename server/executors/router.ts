import type { QuietExecutor } from "@/server/executors/contract";

/** No work: the control plane evaluates the edges. */
export const runRouter: QuietExecutor = () => ({ type: "result", actions: [] });
