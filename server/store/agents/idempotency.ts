import { batchCalls } from "@/lib/batch-calls";
import { DAY_MS } from "@/lib/outside/token-limits";
import { runInWorkspace } from "@/server/db/client";

export type KeyedRequest = { readonly tokenId: string; readonly keyDigest: string; readonly requestDigest: string };
type First = { readonly requestDigest: string; readonly firstAtMs: number };

const MOST_AT_ONCE = 200;

const hold = batchCalls(
  (workspaceId, asked: readonly (KeyedRequest & { readonly atMs: number })[]): Promise<readonly First[]> =>
    runInWorkspace(workspaceId, async (tx) => {
      const nowMs = Math.max(...asked.map(({ atMs }) => atMs));
      await tx.idempotencyKey.deleteMany({ where: { workspaceId, createdAt: { lte: new Date(nowMs - DAY_MS) } } });
      const data = asked.map(({ atMs, ...row }) => ({ ...row, workspaceId, createdAt: new Date(atMs) }));
      await tx.idempotencyKey.createMany({ data, skipDuplicates: true });
      const keys = asked.map(({ tokenId, keyDigest }) => ({ tokenId, keyDigest }));
      const held = await tx.idempotencyKey.findMany({ where: { workspaceId, OR: keys } });
      const byKey = new Map(held.map((row) => [`${row.tokenId} ${row.keyDigest}`, row]));

      return keys.map(({ tokenId, keyDigest }) => {
        const first = byKey.get(`${tokenId} ${keyDigest}`);
        if (!first) throw new Error("an idempotency key was not stored");

        return { requestDigest: first.requestDigest, firstAtMs: first.createdAt.getTime() };
      });
    }),
  MOST_AT_ONCE,
);

/** Stores the first request with a key, for a day. @returns the first one's digest and time (ms since 1970) */
export const holdIdempotencyKey = (workspaceId: string, request: KeyedRequest, atMs: number): Promise<First> =>
  hold(workspaceId, { ...request, atMs });
