import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { registryOutcomeSchema, type RegistryOutcome } from "@/lib/mcp/registry-command";
import { getDatabase, scopeToWorkspace } from "@/server/db/client";
import type { PendingCommand } from "@/server/store/runs/commands";
import { notify } from "@/server/store/notify";
import { openLeaderLock, type Turn } from "@/server/store/leader-lock";

const CHANNEL = "countersign_registry";

export type NewRegistryCommand = { readonly id: string; readonly userId: string; readonly body: Uint8Array<ArrayBuffer> };

export const insertRegistryCommand = async (workspaceId: string, command: NewRegistryCommand): Promise<void> => {
  await scopeToWorkspace(workspaceId).registryCommand.create({ data: { workspaceId, ...command } });
  await notify(CHANNEL, "");
};

export const findRegistryOutcome = async (workspaceId: string, id: string): Promise<RegistryOutcome | null> => {
  const row = await scopeToWorkspace(workspaceId).registryCommand.findFirst({
    where: { workspaceId, id },
    select: { status: true, outcome: true },
  });

  return row && row.status !== "pending" ? registryOutcomeSchema.parse(row.outcome) : null;
};

/** Oldest first. */
export const listPendingRegistryCommands = async (): Promise<readonly PendingCommand[]> => {
  const rows = await getDatabase().registryCommand.findMany({
    where: { status: "pending" },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: 50,
    select: { id: true, workspaceId: true, userId: true, body: true },
  });

  return rows.map(({ userId, ...row }) => ({
    ...row,
    runId: getWorkspaceLedgerId(row.workspaceId),
    author: { userId },
    kind: "registry",
  }));
};

export const answerRegistryCommand = async (workspaceId: string, id: string, outcome: RegistryOutcome, at: number): Promise<void> => {
  await getDatabase().registryCommand.updateMany({
    where: { workspaceId, id, status: "pending" },
    data: { status: outcome.ok ? "done" : "refused", outcome, decidedAt: new Date(at) },
  });
};

/** @param onLost notifications are lost */
export const openRegistryTurn = (onWake: () => void, onLost: () => void): Promise<Turn> =>
  openLeaderLock({ channel: CHANNEL, lock: "countersign.registry" }, onWake, onLost);
