/** Admins' console calls, deleted after an hour. */
import { z } from "zod";
import { runInWorkspace, getPool, scopeToWorkspace } from "@/server/db/client";
import { openLeaderLock, type Turn } from "@/server/store/leader-lock";

const CHANNEL = "countersign_console";

type NewCall = { readonly id: string; readonly userId: string; readonly serverId: string; readonly tool: string };

/** @param body sealed under the call's id */
export const insertConsoleCall = async (workspaceId: string, call: NewCall, body: Uint8Array<ArrayBuffer>): Promise<void> => {
  // The web process may not write the runner's columns.
  await runInWorkspace(
    workspaceId,
    (tx) => tx.$executeRaw`
      insert into console_call (workspace_id, id, user_id, server_id, tool, body)
      values (${workspaceId}::uuid, ${call.id}::uuid, ${call.userId}::uuid, ${call.serverId}, ${call.tool}, ${body})`,
  );
  await getPool().query(`select pg_notify('${CHANNEL}', '')`);
};

const bytes = z.instanceof(Uint8Array);
const statusSchema = z.enum(["waiting", "working", "done"]);
const shownSchema = z.object({ status: statusSchema, result: bytes.nullable() });

/** A person's own call, while kept. */
export const getConsoleCall = async (workspaceId: string, userId: string, id: string): Promise<z.infer<typeof shownSchema> | null> => {
  const row = await scopeToWorkspace(workspaceId).consoleCall.findFirst({
    where: { workspaceId, userId, id },
    select: { status: true, result: true },
  });

  return row && shownSchema.parse(row);
};

/** Counts a person's unfinished calls. */
export const openConsoleCalls = (workspaceId: string, userId: string): Promise<number> =>
  scopeToWorkspace(workspaceId).consoleCall.count({ where: { workspaceId, userId, status: { in: ["waiting", "working"] } } });

/** The requester's proof may have expired. */
const OLD = "created_at < now() - interval '2 minutes'";

const rowSchema = z.object({
  workspaceId: z.string(),
  id: z.string(),
  userId: z.string(),
  serverId: z.string(),
  tool: z.string(),
  body: bytes,
  status: statusSchema,
  isOld: z.boolean(),
});
export type ConsoleCall = z.infer<typeof rowSchema>;

/** Oldest first. */
export const listUnfinishedConsoleCalls = async (): Promise<readonly ConsoleCall[]> => {
  const { rows } = await getPool().query(
    `select workspace_id as "workspaceId", id, user_id as "userId", server_id as "serverId", tool, body, status, ${OLD} as "isOld"
     from console_call where status in ('waiting', 'working') order by created_at, id limit 50`,
  );

  return z.array(rowSchema).parse(rows);
};

/** @returns false when already begun */
export const beginConsoleCall = async (id: string): Promise<boolean> => {
  const { rowCount } = await getPool().query(
    `update console_call set status = 'working' where id = $1 and status = 'waiting' and not (${OLD})`,
    [id],
  );

  return rowCount === 1;
};

export const endConsoleCall = async (id: string, result: Uint8Array): Promise<void> => {
  await getPool().query("update console_call set status = 'done', result = $2, ended_at = now() where id = $1 and status <> 'done'", [
    id,
    Buffer.from(result),
  ]);
};

export const forgetConsoleCalls = async (): Promise<void> => {
  await getPool().query("delete from console_call where created_at < now() - interval '1 hour' and status = 'done'");
};

export const openConsoleTurn = (onWake: () => void, onLost: () => void): Promise<Turn> =>
  openLeaderLock({ channel: CHANNEL, lock: "countersign.console" }, onWake, onLost);
