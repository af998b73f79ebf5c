import { createHash } from "node:crypto";
import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { deriveId } from "@/server/derived-id";
import { holdIdempotencyKey, type KeyedRequest } from "@/server/store/agents/idempotency";
import type { Authenticated } from "@/server/outside/caller";
import { ApiError } from "./problem";

const KEY = /^[\u0021-\u007e]{1,255}$/u;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export type Keyed = KeyedRequest | null;

/** @throws AppError for a malformed key */
export const readKey = (
  { token }: Authenticated,
  key: string | null,
  request: { readonly operation: string; readonly path: string; readonly body: string },
): Keyed => {
  if (key === null) return null;
  if (!KEY.test(key)) throw new AppError("bad_request", { message: "An Idempotency-Key has 1 to 255 visible ASCII characters." });
  const requestDigest = sha256(JSON.stringify([request.operation, request.path, request.body]));

  return { tokenId: token.id, keyDigest: sha256(key), requestDigest };
};

export const toCommandId = (key: Keyed, atMs: number): string =>
  key === null ? systemClock.id() : deriveId({ token: key.tokenId, key: key.keyDigest, at: atMs });

/** Returns the command's id: a repeat within a day finds the first one's row and answer. @throws ApiError 422 for another request */
export const deriveCommand = async ({ workspaceId }: Authenticated, key: Keyed): Promise<string> => {
  if (key === null) return systemClock.id();
  const { requestDigest, firstAtMs } = await holdIdempotencyKey(workspaceId, key, systemClock.now());
  if (requestDigest !== key.requestDigest) {
    throw new ApiError("conflict", "This Idempotency-Key was used for another request.", { status: 422 });
  }

  return toCommandId(key, firstAtMs);
};
