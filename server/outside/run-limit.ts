/** How many runs a token may begin: each has a budget of its own, so this bounds what a token can spend. */
import { systemClock } from "@/server/clock";
import { countTokenRuns } from "@/server/store/agent-sessions";
import type { Caller } from "./caller";

const DAY_MS = 86_400_000;

/** Begun by first steps, resets and forks, within any 24 hours. */
export const MAX_RUNS_PER_DAY = 200;

/** Whether the caller's token has begun all the runs that it may for now. Calls side by side may pass it together. */
export const isRunLimitReached = async ({ workspaceId, token }: Caller): Promise<boolean> =>
  (await countTokenRuns(workspaceId, token.id, systemClock.now() - DAY_MS)) >= MAX_RUNS_PER_DAY;
