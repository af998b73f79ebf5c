import { z } from "zod";
import { blame, sliceOf } from "@/lib/engine/labels/blame";
import { entriesIn } from "@/lib/engine/ledger/replay";
import { whyTainted } from "@/lib/engine/labels/why-tainted";
import { procedure } from "@/server/trpc/init";
import { verifiedRun } from "@/server/web/opened-run";

const input = z.strictObject({
  run_id: z.uuid(),
  /** Ledger path: memory, `@<visit>/path` in a subgraph, or the engine's (`$…`). */
  path: z.string().min(1).max(1_200),
  /** At this record; absent: the last. */
  seq: z.number().int().min(0).optional(),
});

/** Provenance of a path: writing records, their inputs, and the cause of taint. Value-free. */
export const runsBlame = procedure("run.read")
  .input(input)
  .query(async ({ ctx, input: { run_id: runId, path, seq } }) => {
    // Lowest clearance: labels and reads suffice.
    const { ledger } = await verifiedRun(ctx.workspaceId, runId, "public");
    const records = entriesIn(ledger).map(({ signed }) => signed.record);
    const at = Math.min(seq ?? records.length - 1, records.length - 1);

    return { seq: at, writes: blame(records, path, at), slice: sliceOf(records, path, at), taint: whyTainted(records, path, at) };
  });
