import { z } from "zod";
import { blame, sliceOf } from "@/lib/engine/labels/blame";
import { listEntries } from "@/lib/engine/ledger/replay";
import { explainTaint } from "@/lib/engine/labels/why-tainted";
import { createProcedure } from "@/server/trpc/init";
import { openVerifiedRun } from "@/server/web/open-run";

const input = z.strictObject({
  runId: z.uuid(),
  /** Memory, `@<visit>/path` in a subgraph, or the engine's (`$…`). */
  path: z.string().min(1).max(1_200),
  /** Default: the last record. */
  seq: z.number().int().min(0).optional(),
});

/** Provenance, without values. */
export const runsBlame = createProcedure("run.read")
  .input(input)
  .query(async ({ ctx, input: { runId, path, seq } }) => {
    // Labels and reads suffice.
    const { ledger } = await openVerifiedRun(ctx.workspaceId, runId, "public");
    const records = listEntries(ledger).map(({ signed }) => signed.record);
    const at = Math.min(seq ?? records.length - 1, records.length - 1);

    return { seq: at, writes: blame(records, path, at), slice: sliceOf(records, path, at), taint: explainTaint(records, path, at) };
  });
