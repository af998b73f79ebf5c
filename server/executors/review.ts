import type { Executor } from "@/server/executors/contract";
import { askAll } from "@/server/executors/verdicts";

/** The case is the control plane's: it opens it, and closes it when everybody has spoken. Here its models are asked. */
export const reviewExecutor: Executor = (input, gateways, signal) => askAll({ input, gateways, signal });
