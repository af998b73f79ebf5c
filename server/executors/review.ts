import type { Executor } from "@/server/executors/contract";
import { askAll } from "@/server/executors/verdicts";
import { failure } from "@/server/executors/written";

/** The case is the control plane's: it opens it, and closes it when everybody has spoken. Here its models are asked. */
export const reviewExecutor: Executor = async (input, gateways, signal) =>
  (await askAll({ input, gateways, signal })) ?? failure("case_unknown", true, "There is nobody to ask.");
