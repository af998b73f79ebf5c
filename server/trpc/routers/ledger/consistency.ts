import { z } from "zod";
import { AppError } from "@/lib/errors";
import { hashOfLeaf } from "@/lib/engine/ledger/checkpoint";
import { buildMerkleTree } from "@/lib/engine/ledger/merkle-tree";
import { readWholeLog } from "@/server/store/workspaces/export";
import { createProcedure } from "@/server/trpc/init";

const count = z.number().int().min(0);
const input = z.strictObject({ from: count, to: count });

/** Proves consistency of the log's first `from` and `to` entries. */
export const ledgerConsistency = createProcedure("run.read")
  .input(input)
  .query(async ({ ctx: { workspaceId }, input: { from, to } }) => {
    const tree = buildMerkleTree((await readWholeLog(workspaceId)).map(hashOfLeaf));
    if (from > to || to > tree.count) throw new AppError("not_found");

    return { proof: from === 0 ? [] : tree.consistency(from, to) };
  });
