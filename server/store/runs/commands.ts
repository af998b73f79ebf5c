import { z } from "zod";
import { batchCalls } from "@/lib/batch-calls";
import type { Json } from "@/lib/json";
import type { Principal } from "@/lib/engine/principal";
import { refusalSchema } from "@/lib/refusal";
import { getDatabase, getPool, scopeToWorkspace } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import { notify, notifyAll } from "@/server/store/notify";
import { columnsOf, hideValue, queryRows } from "@/server/store/sql/rows";
import { formatTraceparent } from "@/server/trace";

/** Foreign sessions occur in attempts only. */
export type CommandAuthor = { readonly userId: string } | { readonly tokenId: string; readonly sessionId: string | null };

export type NewCommand = CommandAuthor & {
  readonly id: string;
  readonly runId: string;
  readonly kind: string;
  readonly body: Uint8Array<ArrayBuffer>;
};

/** In the insert's transaction, it would serialise commits. */
const announce = (workspaceId: string, runId: string): Promise<void> => notify("countersign_command", `${workspaceId} ${runId}`);

export const insertCommand = async (workspaceId: string, command: NewCommand): Promise<void> => {
  await scopeToWorkspace(workspaceId).command.create({ data: { workspaceId, ...command, traceparent: formatTraceparent() } });
  await announce(workspaceId, command.runId);
};

const MOST_AT_ONCE = 64;

type Insert = NewCommand & { readonly traceparent: string | null };

const insertOnce = batchCalls(async (workspaceId, commands: readonly Insert[]): Promise<readonly (string | null)[]> => {
  const data = commands.map((command) => ({ workspaceId, ...command }));
  const { count } = await scopeToWorkspace(workspaceId).command.createMany({ data, skipDuplicates: true });
  const isEachNew = count === commands.length;
  const ids = commands.map(({ id }) => id);
  const stored = isEachNew
    ? commands
    : await scopeToWorkspace(workspaceId).command.findMany({ where: { workspaceId, id: { in: ids } }, select: { id: true, runId: true } });
  const runs = new Map(stored.map(({ id, runId }) => [id, runId]));
  await notifyAll(
    "countersign_command",
    [...new Set(runs.values())].map((runId) => `${workspaceId} ${runId}`),
  );

  return ids.map((id) => runs.get(id) ?? null);
}, MOST_AT_ONCE);

export const insertCommandOnce = async (workspaceId: string, command: NewCommand): Promise<{ readonly runId: string }> => {
  const runId = await insertOnce(workspaceId, { ...command, traceparent: formatTraceparent() });
  if (runId === null) throw new Error(`command ${command.id} is another workspace's`);

  return { runId };
};

export const outcomeSchema = z.strictObject({ seq: z.number().int(), refusal: refusalSchema.nullable() });
export type CommandOutcome = z.infer<typeof outcomeSchema>;

const MOST_LOOKED_UP = 1_000;

const readOutcomes = batchCalls(async (workspaceId, ids: readonly string[]): Promise<readonly (CommandOutcome | null)[]> => {
  const rows = await scopeToWorkspace(workspaceId).command.findMany({
    where: { workspaceId, id: { in: [...ids] }, status: { not: "pending" } },
    select: { id: true, outcome: true },
  });
  const outcomes = new Map(rows.map(({ id, outcome }) => [id, outcome]));

  return ids.map((id) => (outcomes.has(id) ? outcomeSchema.parse(outcomes.get(id)) : null));
}, MOST_LOOKED_UP);

export const findCommandOutcome = (workspaceId: string, id: string): Promise<CommandOutcome | null> => readOutcomes(workspaceId, id);

/** Runner's role only. */
export const listAnswered = async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await getDatabase().command.findMany({ where: { id: { in: [...ids] }, status: { not: "pending" } }, select: { id: true } });

  return new Set(rows.map(({ id }) => id));
};

export type PendingCommand = {
  readonly id: string;
  readonly workspaceId: string;
  readonly runId: string;
  readonly author: CommandAuthor;
  readonly kind: string;
  readonly body: Uint8Array;
  readonly traceparent?: string | null;
};

const pendingRow = z.object({
  id: z.string(),
  workspaceId: z.string(),
  runId: z.string(),
  userId: z.string().nullable(),
  tokenId: z.string().nullable(),
  sessionId: z.string().nullable(),
  kind: z.string(),
  body: z.instanceof(Uint8Array),
  traceparent: z.string().nullable(),
});

const pendingOf = ({ userId, tokenId, sessionId, ...row }: z.infer<typeof pendingRow>): PendingCommand => {
  if (userId !== null) return { ...row, author: { userId } };
  if (tokenId === null) throw new Error(`command ${row.id} has no owner`);

  return { ...row, author: { tokenId, sessionId } };
};

const readPending = batchCalls(async (workspaceId, runIds: readonly string[]): Promise<PendingCommand[][]> => {
  const rows = await queryRows(getPool(), pendingRow, {
    name: "pending-commands",
    text: `select c.* from unnest(${hideValue("uuid[]", 2)}) as asked (run), lateral (
       select ${columnsOf(pendingRow)} from command
       where workspace_id = $1 and run_id = asked.run and status = 'pending' order by created_at, id limit 100
     ) c`,
    values: [workspaceId, [...new Set(runIds)]],
  });
  const byRun = Map.groupBy(rows.map(pendingOf), ({ runId }) => runId);

  return runIds.map((runId) => [...(byRun.get(runId) ?? [])]);
}, MOST_AT_ONCE);

/** Oldest first. */
export const listPendingCommands = (workspaceId: string, runId: string): Promise<PendingCommand[]> => readPending(workspaceId, runId);

/** Answers a repetition, or a missing run's command. */
export const answerCommand = async (
  workspaceId: string,
  id: string,
  status: "accepted" | "refused",
  outcome: Json,
  at: number,
): Promise<void> => {
  await getDatabase().command.updateMany({
    where: { workspaceId, id, status: "pending" },
    data: { status, outcome: outcome ?? Prisma.JsonNull, decidedAt: new Date(at) },
  });
};

export const getInitiator = (principal: Principal): string | null => {
  switch (principal.type) {
    case "user":
      return principal.id;
    case "agent":
      return principal.owner;
    case "trigger":
      return principal.publisher;
    case "executor":
    case "engine":
    case "directory":
    case "wait":
      return null;
    default:
      return principal satisfies never;
  }
};
