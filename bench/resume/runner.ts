/** Prints `ready`, and `driving` at its first record. */
import { z } from "zod";
import { installedSchema, createRunnerDeps } from "@/bench/steps/installation";
import { useDatabase } from "@/server/db/client";
import { startDispatcher } from "@/server/runner/dispatch";

const runnerOrderSchema = z.object({ installed: installedSchema, leaseMs: z.number() });
export type RunnerOrder = z.infer<typeof runnerOrderSchema>;

const CONCURRENT_RUNS = 8;

export const beRunner = async (text: string): Promise<never> => {
  const { installed, leaseMs } = runnerOrderSchema.parse(JSON.parse(text));
  const say = (word: string): void => void process.stdout.write(`${word}\n`);
  let isDriving = false;
  await useDatabase(installed.urls.runner);
  const deps = await createRunnerDeps(installed, leaseMs, () => {
    if (!isDriving) say("driving");
    isDriving = true;
  });
  await startDispatcher(deps, installed.urls.runner, { concurrency: CONCURRENT_RUNS });
  say("ready");

  return new Promise<never>(() => undefined);
};
