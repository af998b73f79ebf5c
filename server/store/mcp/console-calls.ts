/** Admins' console calls, deleted after an hour. */
import { z } from "zod";
import { systemClock } from "@/server/clock";
import { getDatabase, runInWorkspace, scopeToWorkspace } from "@/server/db/client";
import { notify } from "@/server/store/notify";
import { openLeaderLock, type Turn } from "@/server/store/leader-lock";

const CHANNEL = "countersign_console";
const KEPT_MS = 3_600_000;

type NewCall = { readonly id: string; readonly userId: string; readonly serverId: string; readonly tool: string };

/** @param body sealed under the call's id */
export const insertConsoleCall = async (workspaceId: string, call: NewCall, body: Uint8Array<ArrayBuffer>): Promise<void> => {
  // Prisma would insert defaults of columns that only the runner may write.
  await runInWorkspace(
    workspaceId,
    (tx) => tx.$executeRaw`
      insert into console_call (workspace_id, id, user_id, server_id, tool, body)
      values (${workspaceId}::uuid, ${call.id}::uuid, ${call.userId}::uuid, ${call.serverId}, ${call.tool}, ${body})`,
  );
  await notify(CHANNEL, "");
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

export const openConsoleCalls = (workspaceId: string, userId: string): Promise<number> =>
  scopeToWorkspace(workspaceId).consoleCall.count({ where: { workspaceId, userId, status: { in: ["waiting", "working"] } } });

/** The requester's proof may have expired. */
const OLD_MS = 120_000;

const createdBefore = (ms: number): Date => new Date(systemClock.now() - ms);

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
  const old = createdBefore(OLD_MS);
  const rows = await getDatabase().consoleCall.findMany({
    where: { status: { in: ["waiting", "working"] } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: 50,
  });

  return rows.map((row) => rowSchema.parse({ ...row, isOld: row.createdAt < old }));
};

/** @returns false when already begun */
export const beginConsoleCall = async (id: string): Promise<boolean> => {
  const { count } = await getDatabase().consoleCall.updateMany({
    where: { id, status: "waiting", createdAt: { gte: createdBefore(OLD_MS) } },
    data: { status: "working" },
  });

  return count === 1;
};

export const endConsoleCall = async (id: string, result: Uint8Array<ArrayBuffer>): Promise<void> => {
  await getDatabase().consoleCall.updateMany({
    where: { id, status: { not: "done" } },
    data: { status: "done", result, endedAt: new Date(systemClock.now()) },
  });
};

export const forgetConsoleCalls = async (): Promise<void> => {
  await getDatabase().consoleCall.deleteMany({ where: { createdAt: { lt: createdBefore(KEPT_MS) }, status: "done" } });
};

export const openConsoleTurn = (onWake: () => void, onLost: () => void): Promise<Turn> =>
  openLeaderLock({ channel: CHANNEL, lock: "countersign.console" }, onWake, onLost);
