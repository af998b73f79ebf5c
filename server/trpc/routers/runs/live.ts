import { z } from "zod";
import { AppError } from "@/lib/errors";
import { isTerminal } from "@/lib/engine/event";
import { runBus } from "@/server/live/run-bus";
import { runStandings, type RunStanding } from "@/server/store/runs/runs";
import { createProcedure } from "@/server/trpc/init";

/** Polls for lost announcements. */
const POLL_MS = 5_000;
/** More than open tabs need. */
const MOST_RUNS = 50;

const input = z.strictObject({ runIds: z.array(z.uuid()).min(1).max(MOST_RUNS) });

export type Moved = RunStanding & { readonly runId: string };

/** Follows runs until all have ended. @throws AppError not_found */
export async function* followRuns(workspaceId: string, runIds: readonly string[], signal: AbortSignal | undefined): AsyncGenerator<Moved> {
  // Before the first read, to hear of commits in between.
  const wakeups = runBus().follow(...runIds);
  const isOver = () => signal?.aborted === true;
  const told = new Map<string, string>();
  try {
    while (!isOver()) {
      await wakeups.next(POLL_MS, signal);
      const standings = await runStandings(workspaceId, runIds);
      if (standings.length === 0) throw new AppError("not_found");
      for (const { id, ...standing } of standings) {
        const said = JSON.stringify(standing);
        if (told.get(id) === said) continue;
        told.set(id, said);
        yield { runId: id, ...standing };
      }
      if (standings.every(({ status }) => isTerminal(status))) return;
    }
  } finally {
    wakeups.close();
  }
}

/** Streams no records: a browser needs one stream, and a broken one misses nothing. */
export const runsLive = createProcedure("run.read")
  .input(input)
  .subscription(({ ctx, input: { runIds }, signal }) => followRuns(ctx.workspaceId, runIds, signal));
