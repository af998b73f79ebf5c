import type { Executor } from "@/server/executors/contract";

/** The case is the control plane's: it is opened, and closed, without anybody proposing how. */
export const reviewExecutor: Executor = () => Promise.resolve({ type: "result", actions: [] });
