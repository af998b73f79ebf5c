import { DAY_MS } from "@/lib/outside/token-limits";
import { runInWorkspace } from "@/server/db/client";

type Request = { readonly tokenId: string; readonly keyDigest: string; readonly requestDigest: string };

/** Stores the first request with a key, for a day. @returns the first one's digest and time (ms since 1970) */
export const holdIdempotencyKey = (
  workspaceId: string,
  { tokenId, keyDigest, requestDigest }: Request,
  atMs: number,
): Promise<{ readonly requestDigest: string; readonly firstAtMs: number }> =>
  runInWorkspace(workspaceId, async (tx) => {
    await tx.idempotencyKey.deleteMany({ where: { workspaceId, createdAt: { lte: new Date(atMs - DAY_MS) } } });
    const row = { workspaceId, tokenId, keyDigest, requestDigest, createdAt: new Date(atMs) };
    await tx.idempotencyKey.createMany({ data: [row], skipDuplicates: true });
    const first = await tx.idempotencyKey.findFirstOrThrow({ where: { workspaceId, tokenId, keyDigest } });

    return { requestDigest: first.requestDigest, firstAtMs: first.createdAt.getTime() };
  });
