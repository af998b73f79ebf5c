import { z } from "zod";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { Json } from "@/lib/json";
import { registryOutcomeSchema, type RegistryOutcome } from "@/lib/mcp/registry-command";
import { getPool, scopeToWorkspace } from "@/server/db/client";
import type { PendingCommand } from "@/server/store/runs/commands";
import { openLeaderLock, type Turn } from "@/server/store/leader-lock";

const CHANNEL = "countersign_registry";

export type NewRegistryCommand = { readonly id: string; readonly userId: string; readonly body: Uint8Array<ArrayBuffer> };

export const insertRegistryCommand = async (workspaceId: string, command: NewRegistryCommand): Promise<void> => {
  await scopeToWorkspace(workspaceId).registryCommand.create({ data: { workspaceId, ...command } });
  await getPool().query(`select pg_notify('${CHANNEL}', '')`);
};

/** Returns the runner's answer, or null. */
export const findRegistryOutcome = async (workspaceId: string, id: string): Promise<RegistryOutcome | null> => {
  const row = await scopeToWorkspace(workspaceId).registryCommand.findFirst({
    where: { workspaceId, id },
    select: { status: true, outcome: true },
  });

  return row && row.status !== "pending" ? registryOutcomeSchema.parse(row.outcome) : null;
};

const pendingSchema = z.object({ id: z.string(), workspace_id: z.string(), user_id: z.string(), body: z.instanceof(Uint8Array) });

/** Unanswered commands, oldest first. */
export const listPendingRegistryCommands = async (): Promise<readonly PendingCommand[]> => {
  const { rows } = await getPool().query(
    "select id, workspace_id, user_id, body from registry_command where status = 'pending' order by created_at, id limit 50",
  );

  return z
    .array(pendingSchema)
    .parse(rows)
    .map((row) => ({
      id: row.id,
      workspaceId: row.workspace_id,
      runId: getWorkspaceLedgerId(row.workspace_id),
      author: { userId: row.user_id },
      kind: "registry",
      body: row.body,
    }));
};

export const answerRegistryCommand = async (workspaceId: string, id: string, outcome: RegistryOutcome, at: number): Promise<void> => {
  const body: Json = outcome;
  await getPool().query(
    `update registry_command set status = $3, outcome = $4::jsonb, decided_at = to_timestamp($5::double precision / 1000)
     where workspace_id = $1 and id = $2 and status = 'pending'`,
    [workspaceId, id, outcome.ok ? "done" : "refused", JSON.stringify(body), at],
  );
};

/** @param onLost notifications are lost */
export const openRegistryTurn = (onWake: () => void, onLost: () => void): Promise<Turn> =>
  openLeaderLock({ channel: CHANNEL, lock: "countersign.registry" }, onWake, onLost);
