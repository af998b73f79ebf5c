import { availableParallelism } from "node:os";
import { listQueuedStarts } from "@/server/store/ledger/run-heads";

/** Of each workspace; accepting comes first. */
const UNDER_WAY = { arriving: availableParallelism(), queued: 4 * availableParallelism() } as const;
const ARRIVING_MS = 200;

/** Undecided starts. The database holds back only existing runs. */
export const createStarts = () => {
  const heldUntilMs = new Map<string, number>();
  let arrivedAtMs = Number.NEGATIVE_INFINITY;

  return {
    arrived: (): void => {
      arrivedAtMs = performance.now();
    },
    holdBack: (runId: string, ms: number): void => {
      heldUntilMs.set(runId, performance.now() + ms);
    },
    list: async () => {
      const nowMs = performance.now();
      for (const [runId, untilMs] of heldUntilMs) if (untilMs <= nowMs) heldUntilMs.delete(runId);

      return listQueuedStarts(UNDER_WAY[nowMs - arrivedAtMs < ARRIVING_MS ? "arriving" : "queued"], [...heldUntilMs.keys()]);
    },
  };
};
