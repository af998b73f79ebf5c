import { Suspended, type Executor } from "@/server/executors/contract";
import { askAll } from "@/server/executors/verdicts";

/** Asks the models who look at a call before it is made, in the name of the node that asks for it. Then the node asks again. */
export const verificationExecutor: Executor = async (input, gateways, signal) => {
  const failed = await askAll({ input, gateways, signal });
  // What comes of the verdicts is decided: there is nothing to propose.
  if (!failed) throw new Suspended();

  return failed;
};
