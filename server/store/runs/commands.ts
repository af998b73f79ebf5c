import { z } from "zod";
import type { Json } from "@/lib/json";
import type { Principal } from "@/lib/engine/principal";
import { refusalSchema } from "@/lib/refusal";
import { getDatabase, getPool, scopeToWorkspace } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import { notify } from "@/server/store/notify";
import { columnsOf, queryRows } from "@/server/store/sql/rows";
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

/** Stores a command, idempotently. @returns its run */
export const insertCommandOnce = async (workspaceId: string, command: NewCommand): Promise<{ readonly runId: string }> => {
  const data = [{ workspaceId, ...command, traceparent: formatTraceparent() }];
  const { count } = await scopeToWorkspace(workspaceId).command.createMany({ data, skipDuplicates: true });
  if (count > 0) {
    await announce(workspaceId, command.runId);

    return { runId: command.runId };
  }
  const first = await scopeToWorkspace(workspaceId).command.findFirst({ where: { workspaceId, id: command.id }, select: { runId: true } });
  if (!first) throw new Error(`command ${command.id} is another workspace's`);

  return first;
};

export const outcomeSchema = z.strictObject({ seq: z.number().int(), refusal: refusalSchema.nullable() });
export type CommandOutcome = z.infer<typeof outcomeSchema>;

/** Returns the runner's answer, or null. */
export const findCommandOutcome = async (workspaceId: string, id: string): Promise<CommandOutcome | null> => {
  const row = await scopeToWorkspace(workspaceId).command.findFirst({
    where: { workspaceId, id },
    select: { status: true, outcome: true },
  });

  return row && row.status !== "pending" ? outcomeSchema.parse(row.outcome) : null;
};

/** Returns which of these commands were decided. Runner's role only. */
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

/** Oldest first. */
export const listPendingCommands = async (workspaceId: string, runId: string): Promise<PendingCommand[]> => {
  const rows = await queryRows(getPool(), pendingRow, {
    name: "pending-commands",
    text: `select ${columnsOf(pendingRow)} from command
     where workspace_id = $1 and run_id = $2 and status = 'pending' order by created_at, id limit 100`,
    values: [workspaceId, runId],
  });

  return rows.map(pendingOf);
};

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

/** Initiator of runs that this principal starts. */
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
      return null;
    default:
      return principal satisfies never;
  }
};
