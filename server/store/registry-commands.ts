/** Commands to the MCP registry: written by the web process, carried out by one runner at a time. */
import { z } from "zod";
import type { Json } from "@/lib/json";
import { registryOutcomeSchema, type RegistryCommand, type RegistryOutcome } from "@/lib/mcp/registry-command";
import { pool, scoped } from "@/server/db/client";

const CHANNEL = "countersign_registry";

export type NewRegistryCommand = { readonly id: string; readonly userId: string; readonly body: RegistryCommand };

export const insertRegistryCommand = async (workspaceId: string, command: NewRegistryCommand): Promise<void> => {
  await scoped(workspaceId).registryCommand.create({ data: { workspaceId, ...command } });
  await pool().query(`select pg_notify('${CHANNEL}', '')`);
};

/** The runner's answer, or `null` while there is none. */
export const registryOutcome = async (workspaceId: string, id: string): Promise<RegistryOutcome | null> => {
  const row = await scoped(workspaceId).registryCommand.findFirst({ where: { workspaceId, id }, select: { status: true, outcome: true } });

  return row && row.status !== "pending" ? registryOutcomeSchema.parse(row.outcome) : null;
};

const pendingSchema = z.object({ id: z.string(), workspace_id: z.string(), user_id: z.string(), body: z.unknown() });

export type PendingRegistryCommand = { readonly id: string; readonly workspaceId: string; readonly userId: string; readonly body: unknown };

/** Unanswered commands of all workspaces, oldest first. `body` is not parsed: whoever wrote the row is not trusted. */
export const pendingRegistryCommands = async (): Promise<readonly PendingRegistryCommand[]> => {
  const { rows } = await pool().query(
    "select id, workspace_id, user_id, body from registry_command where status = 'pending' order by created_at, id limit 50",
  );

  return z
    .array(pendingSchema)
    .parse(rows)
    .map((row) => ({ id: row.id, workspaceId: row.workspace_id, userId: row.user_id, body: row.body }));
};

export const answerRegistryCommand = async (workspaceId: string, id: string, outcome: RegistryOutcome, at: number): Promise<void> => {
  const body: Json = outcome;
  await pool().query(
    `update registry_command set status = $3, outcome = $4::jsonb, decided_at = to_timestamp($5::double precision / 1000)
     where workspace_id = $1 and id = $2 and status = 'pending'`,
    [workspaceId, id, outcome.ok ? "done" : "refused", JSON.stringify(body), at],
  );
};

/** A connection of its own that hears of new commands and holds the right to work on them while it lives. */
export type RegistryTurn = {
  /** Whether this process is the one that works on commands now. */
  readonly take: () => Promise<boolean>;
  readonly close: () => void;
};

/** @param onWake a command may be there @param onLost nothing more will be heard */
export const openRegistryTurn = async (onWake: () => void, onLost: () => void): Promise<RegistryTurn> => {
  const client = await pool().connect();
  let isOpen = true;
  const close = (isLost: boolean): void => {
    if (!isOpen) return;
    isOpen = false;
    client.removeAllListeners("notification");
    // Destroyed, not given back: it still listens, and the lock ends with it.
    client.release(true);
    if (isLost) onLost();
  };
  client.on("error", () => close(true));
  client.on("end", () => close(true));
  client.on("notification", onWake);
  try {
    await client.query(`listen ${CHANNEL}`);
  } catch (error) {
    close(false);
    throw error;
  }
  let mine = false;

  return {
    take: async () => {
      if (!mine) {
        const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_lock(hashtext('countersign.registry')) as mine");
        mine = rows[0]?.mine === true;
      }

      return mine;
    },
    close: () => close(false),
  };
};
