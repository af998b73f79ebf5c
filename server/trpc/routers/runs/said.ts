import { z } from "zod";
import { AppError } from "@/lib/errors";
import { getShownTo } from "@/lib/engine/approvals/policy";
import { runBus } from "@/server/live/run-bus";
import { openSaidSoFar, type ShownSaid } from "@/server/reading/said-so-far";
import { getRun } from "@/server/store/runs/runs";
import { createProcedure } from "@/server/trpc/init";
import { getWebVault } from "@/server/web/web-vault";

/** Polls for lost announcements. */
const POLL_MS = 2_000;

/** Streams what models say, which is no state before it is recorded. */
export const runsSaid = createProcedure("run.read")
  .input(z.strictObject({ runId: z.uuid() }))
  .subscription(async function* ({ ctx, input: { runId }, signal }): AsyncGenerator<readonly ShownSaid[]> {
    const { workspaceId, role } = ctx;
    if (!(await getRun(workspaceId, runId))) throw new AppError("not_found");
    const wakeups = runBus().follow(runId);
    const isOver = () => signal?.aborted === true;
    let told: string | null = null;
    try {
      while (!isOver()) {
        await wakeups.next(POLL_MS, signal);
        const shown = await openSaidSoFar(getWebVault(), workspaceId, runId, getShownTo(role));
        const text = JSON.stringify(shown);
        if (text === told) continue;
        told = text;
        yield shown;
      }
    } finally {
      wakeups.close();
    }
  });
