import { Suspended, type Executor } from "@/server/executors/contract";
import { askAll } from "@/server/executors/verdicts";

/** Asks the models that review a node's call; then the node asks again. */
export const runVerification: Executor = async (input, gateways, signal) => {
  const failed = await askAll({ input, gateways, signal });
  // The verdicts decide; there is nothing to propose.
  if (!failed) throw new Suspended();

  return failed;
};
