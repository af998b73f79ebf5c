/** `driveRun` with everything on. Ledgers are verified afterwards. */
import { z } from "zod";
import { must } from "@/bench/section";
import { closeDatabase, useDatabase } from "@/server/db/client";
import { driveRun, type Wakeups } from "@/server/runner/drive";
import { loadRun } from "@/server/runner/load";
import { createNotifier } from "@/server/runner/notify";
import { runHead } from "@/server/store/ledger/run-heads";
import { closeConnections } from "@/server/testing/connections";
import { orderSchema, startStopwatch, type Measured } from "./contestant";
import { askForRuns, installedSchema, createRunnerDeps } from "./installation";

const LEASE_MS = 10_000;

export const countersignOrderSchema = orderSchema.omit({ databaseUrl: true }).extend({
  installed: installedSchema,
  graphHash: z.string(),
  warmHash: z.string(),
});

const asleep: Wakeups = { onWake: () => () => undefined };

/** Request and start. */
const RECORDS_BEFORE = 2;

export const measureCountersign = async (text: string): Promise<Measured> => {
  const order = countersignOrderSchema.parse(JSON.parse(text));
  const { installed } = order;
  await useDatabase(installed.urls.runner);
  const notifier = createNotifier();
  let watch = startStopwatch();
  const deps = await createRunnerDeps(installed, LEASE_MS, (run) => {
    notifier.notify(run);
    watch.step(run);
  });
  const driveAll = async (hash: string, runs: number): Promise<string[]> => {
    const asked = await askForRuns(installed, hash, runs, order.stateBytes);
    await Promise.all(asked.map((runId) => driveRun(deps, asleep, installed.workspace, runId)));

    return asked;
  };
  const warm = await driveAll(order.warmHash, 1);
  watch = startStopwatch();
  const { latencies } = watch;
  const startedAt = performance.now();
  const asked = await driveAll(order.graphHash, order.runs);
  const seconds = (performance.now() - startedAt) / 1_000;
  const keys = await deps.publicKeys();
  const verified = async (runIds: readonly string[], each: number): Promise<number> => {
    let steps = 0;
    for (const runId of runIds) {
      const head = await runHead(installed.workspace, runId);
      if (!head) throw new Error("a run is gone");
      const place = { workspaceId: installed.workspace, runId, version: head.version, digest: head.head };
      const { state, records } = await loadRun(deps.vault, keys, place, head.graphHash);
      must(state.status === "completed", `a run is ${state.status}`);
      must(records.length === each + RECORDS_BEFORE, `a run has ${records.length} records instead of ${each + RECORDS_BEFORE}`);
      steps += each;
    }

    return steps;
  };
  const [steps, warmed] = [await verified(asked, order.steps), await verified(warm, order.warmSteps)];
  await notifier.close();
  await Promise.all([closeConnections(), closeDatabase()]);

  return { steps, warmed, seconds, latencies };
};
