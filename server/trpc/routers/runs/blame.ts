import { z } from "zod";
import { blame, sliceOf } from "@/lib/engine/labels/blame";
import { entriesIn } from "@/lib/engine/ledger/replay";
import { whyTainted } from "@/lib/engine/labels/why-tainted";
import { procedure } from "@/server/trpc/init";
import { verifiedRun } from "@/server/web/opened-run";

const input = z.strictObject({
  run_id: z.uuid(),
  /** As the ledger has it: a memory path, `@<visit>/path` inside a subgraph, or one of the engine's own (`$…`). */
  path: z.string().min(1).max(1_200),
  /** The record after which it is asked; absent: the last one. */
  seq: z.number().int().min(0).optional(),
});

/** Which records wrote what stands at a path, what they rest on, and why it is not trusted. No value is looked at. */
export const runsBlame = procedure("run.read")
  .input(input)
  .query(async ({ ctx, input: { run_id: runId, path, seq } }) => {
    // The lowest clearance: labels and reads say everything that is asked.
    const { ledger } = await verifiedRun(ctx.workspaceId, runId, "public");
    const records = entriesIn(ledger).map(({ signed }) => signed.record);
    const at = Math.min(seq ?? records.length - 1, records.length - 1);

    return { seq: at, writes: blame(records, path, at), slice: sliceOf(records, path, at), taint: whyTainted(records, path, at) };
  });
