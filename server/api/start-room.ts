/** Bounds starts that are accepted before they are decided. The control plane applies each limit again. */
import { createAgeCache } from "@/lib/age-cache";
import { DEFAULT_TOKEN_LIMITS } from "@/lib/outside/token-limits";
import { systemClock } from "@/server/clock";
import { useWithQueued } from "@/server/store/agents/token-use";
import { readStartQueue } from "@/server/store/runs/start-queue";
import type { Account } from "./account";
import { ApiError } from "./problem";

const MOST_QUEUED = 10_000;
/** Commands are void after ten minutes. */
const MOST_DELAY_MS = 60_000;
const QUEUE_AGE_MS = 500;
const TOKEN_AGE_MS = 10_000;

const queues = createAgeCache<{ left: number; readonly oldestAt: number | null }>(QUEUE_AGE_MS, systemClock);
const uses = createAgeCache<{ runs: number; readonly micro_usd: number }>(TOKEN_AGE_MS, systemClock);

const readQueue = async (workspaceId: string) => {
  const { queued, oldestAt } = await readStartQueue(workspaceId, MOST_QUEUED);

  return { left: MOST_QUEUED - queued, oldestAt };
};

/** Takes a place in the workspace's queue. @throws ApiError rate_limited */
export const takeQueuePlace = async (workspaceId: string): Promise<void> => {
  const queue = await queues(workspaceId, () => readQueue(workspaceId));
  const isLate = queue.oldestAt !== null && systemClock.now() - queue.oldestAt > MOST_DELAY_MS;
  if (isLate || queue.left <= 0) {
    throw new ApiError("rate_limited", "Too many starts wait to be decided.", { headers: { "Retry-After": "10" } });
  }
  queue.left -= 1;
};

/** Takes one run of the token's daily limits. @returns false at a limit */
export const takeTokenRun = async ({ workspaceId, token }: Account): Promise<boolean> => {
  const limits = token.limits ?? DEFAULT_TOKEN_LIMITS;
  const used = await uses(token.id, async () => ({ ...(await useWithQueued(workspaceId, token.id)) }));
  if (used.runs >= limits.runs || used.micro_usd >= limits.micro_usd) return false;
  used.runs += 1;

  return true;
};
