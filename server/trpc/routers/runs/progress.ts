import { z } from "zod";
import { AppError } from "@/lib/errors";
import { canBeShown, getShownTo } from "@/lib/engine/approvals/policy";
import type { Classification } from "@/lib/graph/label";
import type { PublishedGraph } from "@/lib/graph/document";
import { keptProgressSchema, getProgressPlace, type CallProgress } from "@/lib/mcp/progress";
import { findArgumentsCell, getCallProgress } from "@/server/store/mcp/call-progress";
import { getVersion } from "@/server/store/graphs/versions";
import { getRun } from "@/server/store/runs/runs";
import { createProcedure } from "@/server/trpc/init";
import { openCells } from "@/server/reading/open-cells";
import { sealedCells } from "@/server/reading/sealed-cells";
import { getWebVault } from "@/server/web/web-vault";

/** `hidden`: exists, but not for this reader. */
export type ShownProgress = (CallProgress & { readonly at: string }) | "hidden" | null;

const kept = (workspaceId: string, effectId: string, sealed: Uint8Array) => {
  try {
    return keptProgressSchema.parse(getWebVault().openCommand(workspaceId, getProgressPlace(effectId), sealed));
  } catch {
    return null;
  }
};

/** Unknown tools count as secret. */
const mayHear = ({ tools, subgraphs }: PublishedGraph, of: { server: string; tool: string }, clearance: Classification): boolean => {
  const pins = [...tools, ...subgraphs.flatMap((used) => used.tools)].filter(
    ({ server, tool }) => server === of.server && tool === of.tool,
  );

  return pins.length > 0 && pins.every(({ output }) => canBeShown({ confidentiality: output }, clearance));
};

/** Needs clearance for the answer's label, as part of the answer. */
export const runsProgress = createProcedure("run.read")
  .input(z.strictObject({ runId: z.uuid(), effectId: z.uuid() }))
  .query(async ({ ctx, input }): Promise<ShownProgress> => {
    const { workspaceId } = ctx;
    const [run, cell] = await Promise.all([getRun(workspaceId, input.runId), findArgumentsCell(workspaceId, input.runId, input.effectId)]);
    if (!run || !cell) throw new AppError("not_found");
    const row = await getCallProgress(workspaceId, input.effectId);
    const said = row && kept(workspaceId, input.effectId, row.sealed);
    if (!said) return null;
    const version = await getVersion(workspaceId, run.graphHash);
    const clearance = getShownTo(ctx.role);
    // A tampered label does not open its cell.
    const sealed = await sealedCells(getWebVault(), workspaceId, input.runId, [cell]);
    const [asked] = openCells(getWebVault(), workspaceId, [cell], { clearance, sealed });
    const isShown = asked !== undefined && asked.opened !== null && asked.opened !== "unreadable";
    if (!isShown || !version || !mayHear(version.published, said, clearance)) return "hidden";
    const { progress, total, message } = said;

    return { progress, total, message, at: row.at.toISOString() };
  });
