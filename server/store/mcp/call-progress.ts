/** Progress of calls, sealed because it is tool output. */
import { z } from "zod";
import { systemClock } from "@/server/clock";
import { getDatabase, scopeToWorkspace } from "@/server/db/client";
import type { StoredCellRow } from "@/server/store/ledger/ledger";

export type ProgressRow = { readonly workspaceId: string; readonly effectId: string; readonly sealed: Uint8Array<ArrayBuffer> };

/** Runner's role only. */
export const putCallProgress = async ({ workspaceId, effectId, sealed }: ProgressRow): Promise<void> => {
  const at = new Date(systemClock.now());
  await getDatabase().callProgress.upsert({
    where: { workspaceId_effectId: { workspaceId, effectId } },
    create: { workspaceId, effectId, sealed, at },
    update: { sealed, at },
  });
};

const DAY_MS = 86_400_000;

/** Ends a call's progress and deletes day-old leftovers. Runner's role only. */
export const endCallProgress = async (workspaceId: string, effectId: string): Promise<void> => {
  const old = new Date(systemClock.now() - DAY_MS);
  await getDatabase().callProgress.deleteMany({ where: { workspaceId, OR: [{ effectId }, { at: { lt: old } }] } });
};

const rowSchema = z.object({ sealed: z.instanceof(Uint8Array), at: z.date() });

export const getCallProgress = async (workspaceId: string, effectId: string): Promise<z.infer<typeof rowSchema> | null> => {
  const row = await scopeToWorkspace(workspaceId).callProgress.findFirst({
    where: { workspaceId, effectId },
    select: { sealed: true, at: true },
  });

  return row && rowSchema.parse(row);
};

/** Cell of a call's arguments, or null. */
export const findArgumentsCell = async (workspaceId: string, runId: string, effectId: string): Promise<StoredCellRow | null> => {
  const row = await scopeToWorkspace(workspaceId).cell.findFirst({
    where: { workspaceId, runId, path: `$arguments.${effectId}` },
    orderBy: { seq: "desc" },
    select: { runId: true, seq: true, index: true, path: true, label: true, commitment: true, sealed: true, wrappedKey: true },
  });

  return row && { ...row, sealed: Uint8Array.from(row.sealed), wrappedKey: Uint8Array.from(row.wrappedKey) };
};
