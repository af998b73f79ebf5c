import { tracked } from "@trpc/server";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { isTerminal } from "@/lib/engine/event";
import { shownTo } from "@/lib/engine/policy";
import { runBus } from "@/server/live/run-bus";
import { ledgerPage } from "@/server/store/ledger-page";
import { procedure } from "@/server/trpc/init";
import { webVault } from "@/server/web/web-vault";
import { wirePage } from "./wire";

const PAGE = 200;
/** Finds what an announcement that got lost should have told. */
const POLL_MS = 5_000;

const input = z.strictObject({
  run_id: z.uuid(),
  after_seq: z.number().int().min(-1).default(-1),
  /** Sent again by the client after a broken connection. */
  lastEventId: z
    .string()
    .regex(/^\d{1,9}$/)
    .nullish(),
});

/** Records as they are committed, each batch tracked by its last seq. Ends when the run has ended and all is sent. */
export const runsLive = procedure("run.read")
  .input(input)
  .subscription(async function* ({ ctx, input: { run_id: runId, after_seq: afterSeq, lastEventId }, signal }) {
    const { workspaceId } = ctx;
    // Before the first look at the table: what is committed in between is then announced.
    const wakeups = runBus().follow(runId);
    const isOver = () => signal?.aborted === true;
    let last = lastEventId ? Number(lastEventId) : afterSeq;
    try {
      while (!isOver()) {
        await wakeups.next(POLL_MS, signal);
        for (let isMore = true; isMore && !isOver();) {
          const page = await ledgerPage(workspaceId, runId, last, PAGE);
          if (!page) throw new AppError("not_found");
          const wire = wirePage(webVault(), workspaceId, page, shownTo(ctx.role));
          last = page.records.at(-1)?.seq ?? last;
          isMore = wire.more;
          if (page.records.length > 0) yield tracked(String(last), wire);
          if (!isMore && isTerminal(page.status) && last >= page.head.version - 1) return;
        }
      }
    } finally {
      wakeups.close();
    }
  });
