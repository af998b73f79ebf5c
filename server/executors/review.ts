import type { Executor } from "@/server/executors/contract";
import { askAll } from "@/server/executors/verdicts";
import { createFailure } from "@/server/executors/written";

/** Asks the case's models. */
export const reviewExecutor: Executor = async (input, gateways, signal) =>
  (await askAll({ input, gateways, signal })) ?? createFailure("case_unknown", true, "No reviewer is available.");
