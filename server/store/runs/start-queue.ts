import { z } from "zod";
import { batchCalls } from "@/lib/batch-calls";
import { mergeCalls } from "@/lib/merge-calls";
import { DAY_MS } from "@/lib/outside/token-limits";
import { runInPlace, runRead } from "@/server/db/client";
import type { KeyedRequest } from "@/server/store/agents/idempotency";
import { notify } from "@/server/store/notify";
import { columnsOf, queryRow, queryRows } from "@/server/store/sql/rows";
import { msSchema } from "@/server/store/times";
import { formatTraceparent } from "@/server/trace";
import type { NewCommand } from "./commands";

/** One per batch: a runner then looks at the queue. */
const announce = mergeCalls((workspaceId: string) => notify("countersign_start", workspaceId));

const ENQUEUE = `with asked as (
  select * from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::bytea[], $6::text[], $7::text[], $8::text[], $9::double precision[],
      $11::uuid[]) as a (id, run_id, token_id, body, traceparent, key_digest, request_digest, at_ms, graph_id)
), expired as (
  delete from idempotency_key where workspace_id = $1::uuid and created_at <= to_timestamp($10::double precision / 1000)
), keyed as (
  insert into idempotency_key (workspace_id, token_id, key_digest, request_digest, created_at)
  select $1::uuid, token_id, key_digest, request_digest, to_timestamp(at_ms / 1000) from asked where key_digest is not null
  on conflict do nothing returning token_id, key_digest
)
insert into command (workspace_id, id, run_id, token_id, kind, body, traceparent)
select $1::uuid, id, run_id, token_id, 'start', body, traceparent from asked
where (key_digest is null or (token_id, key_digest) in (select token_id, key_digest from keyed))
  and graph_id in (select id from graph where workspace_id = $1::uuid and deleted_at is null)
returning id`;

const storedRow = z.object({ id: z.string() });

type QueuedStart = Omit<NewCommand, "kind"> & {
  readonly tokenId: string;
  readonly graphId: string;
  /** Its command's id derives from `atMs`. */
  readonly key: KeyedRequest | null;
  readonly atMs: number;
};

const MOST_AT_ONCE = 200;

const keyOf = ({ key, id }: QueuedStart): string => (key === null ? id : `${key.tokenId} ${key.keyDigest}`);

const enqueue = batchCalls(async (workspaceId, asked: readonly (QueuedStart & { readonly traceparent: string | null })[]) => {
  // Equal keys may stand for different requests.
  const starts = [...new Map(asked.toReversed().map((start) => [keyOf(start), start])).values()];
  const stored = await runInPlace(workspaceId, (client) =>
    queryRows(client, storedRow, {
      name: "enqueue-starts",
      text: ENQUEUE,
      values: [
        workspaceId,
        starts.map(({ id }) => id),
        starts.map(({ runId }) => runId),
        starts.map(({ tokenId }) => tokenId),
        starts.map(({ body }) => body),
        starts.map(({ traceparent }) => traceparent),
        starts.map(({ key }) => key?.keyDigest ?? null),
        starts.map(({ key }) => key?.requestDigest ?? null),
        starts.map(({ atMs }) => atMs),
        Math.max(...starts.map(({ atMs }) => atMs)) - DAY_MS,
        starts.map(({ graphId }) => graphId),
      ],
    }),
  );
  await announce(workspaceId);
  const ids = new Set(stored.map(({ id }) => id));

  return asked.map((start) => starts.includes(start) && ids.has(start.id));
}, MOST_AT_ONCE);

/** Stores a service account's start. @returns false for a used key or a deleted graph */
export const enqueueStart = (workspaceId: string, start: QueuedStart): Promise<boolean> =>
  enqueue(workspaceId, { ...start, traceparent: formatTraceparent() });

const queueRow = z.object({ queued: z.number(), oldestAt: msSchema.nullable() });
type StartQueue = z.infer<typeof queueRow>;

const QUEUED = "workspace_id = $1 and status = 'pending' and kind = 'start'";

/** @param most to count */
export const readStartQueue = (workspaceId: string, most: number): Promise<StartQueue> =>
  runRead(workspaceId, async (client) => {
    const text = `select count(*)::int as queued, min(created_at) as "oldestAt"
      from (select created_at from command where ${QUEUED} order by created_at limit $2) q`;
    const queue = await queryRow(client, queueRow, { name: "start-queue", text, values: [workspaceId, most] });

    return queue ?? { queued: 0, oldestAt: null };
  });

const startRow = z.object({
  id: z.string(),
  status: z.enum(["pending", "accepted", "refused"]),
  body: z.instanceof(Uint8Array),
  createdAt: msSchema,
});
type StoredStart = z.infer<typeof startRow>;

/** Finds the token's start of a run. */
export const findStart = (workspaceId: string, tokenId: string, runId: string): Promise<StoredStart | null> =>
  runRead(workspaceId, (client) =>
    queryRow(client, startRow, {
      name: "start-of-run",
      text: `select ${columnsOf(startRow)} from command
       where workspace_id = $1 and run_id = $2 and token_id = $3 and kind = 'start' order by created_at limit 1`,
      values: [workspaceId, runId, tokenId],
    }),
  );
