import { z } from "zod";
import { hashOfLeaf } from "@/lib/engine/ledger/checkpoint";
import { merkleTree } from "@/lib/engine/ledger/merkle-tree";
import { wholeLog } from "@/server/store/workspaces/export";
import { checkpointsBelow, placeInLog } from "@/server/store/workspaces/pages";
import { procedure } from "@/server/trpc/init";

const input = z.strictObject({ run_id: z.uuid(), seq: z.number().int().min(0) });

/** Inclusion proof in the newest checkpoint; null for missing or uncounted records. */
export const ledgerInclusion = procedure("run.read")
  .input(input)
  .query(async ({ ctx: { workspaceId }, input: { run_id: run, seq } }) => {
    const [signed] = await checkpointsBelow(workspaceId, null, 1);
    const place = await placeInLog(workspaceId, run, seq);
    if (!signed || !place || place.index >= signed.checkpoint.count) return null;
    const tree = merkleTree((await wholeLog(workspaceId)).map(hashOfLeaf));
    if (signed.checkpoint.count > tree.count) return null;

    return { ...place, signed, proof: tree.inclusion(place.index, signed.checkpoint.count) };
  });
