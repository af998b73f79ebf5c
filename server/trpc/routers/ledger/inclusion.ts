import { z } from "zod";
import { hashOfLeaf } from "@/lib/engine/ledger/checkpoint";
import { buildMerkleTree } from "@/lib/engine/ledger/merkle-tree";
import { readWholeLog } from "@/server/store/workspaces/export";
import { listCheckpointsBelow, placeInLog } from "@/server/store/workspaces/pages";
import { createProcedure } from "@/server/trpc/init";

const input = z.strictObject({ runId: z.uuid(), seq: z.number().int().min(0) });

/** Returns null for missing or uncounted records. */
export const ledgerInclusion = createProcedure("run.read")
  .input(input)
  .query(async ({ ctx: { workspaceId }, input: { runId: run, seq } }) => {
    const [signed] = await listCheckpointsBelow(workspaceId, null, 1);
    const place = await placeInLog(workspaceId, run, seq);
    if (!signed || !place || place.index >= signed.checkpoint.count) return null;
    const tree = buildMerkleTree((await readWholeLog(workspaceId)).map(hashOfLeaf));
    if (signed.checkpoint.count > tree.count) return null;

    return { ...place, signed, proof: tree.inclusion(place.index, signed.checkpoint.count) };
  });
