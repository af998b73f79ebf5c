/** Waits until no work is left. */
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { Ask } from "@/bench/chaos/ask";

const LOOK_MS = 1_000;

const leftSchema = z.object({ commands: z.number(), runs: z.number(), gates: z.number(), leases: z.number() });
export type Left = z.infer<typeof leftSchema>;

/** @param left gates stay open */
const LEFT = `select
  (select count(*) from command where workspace_id = $1 and status = 'pending')::int as commands,
  (select count(*) from run where workspace_id = $1 and frozen is null and (status in ('pending', 'scheduled', 'running', 'retrying')
    or (status = 'waiting' and not exists (select 1 from approval a where a.run_id = run.id and a.status = 'open'))))::int as runs,
  (select count(*) from approval where workspace_id = $1 and status = 'open'
    and (run_id <> all($2) or expires_at < now() + interval '1 hour'))::int as gates,
  (select count(*) from run where workspace_id = $1 and lease_until > now())::int as leases`;

const isNothing = ({ commands, runs, gates, leases }: Left): boolean => commands + runs + gates + leases === 0;

/** @returns remaining work */
export const settle = async (
  ask: Ask,
  workspace: string,
  leave: readonly string[],
  mostMs: number,
  say: (left: Left) => void,
): Promise<Left> => {
  const untilMs = Date.now() + mostMs;
  for (;;) {
    const left = leftSchema.parse((await ask(LEFT, [workspace, leave]))[0]);
    if (isNothing(left) || Date.now() > untilMs) return left;
    say(left);
    await wait(LOOK_MS);
  }
};
