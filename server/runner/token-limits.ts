/** Holds the runs of a token to what its settings on record allow within 24 hours. */
import type { Principal } from "@/lib/engine/principal";
import type { RefusalCode } from "@/lib/refusal";
import { createKeyedSemaphore } from "@/server/keyed-semaphore";
import type { RunnerDeps } from "@/server/runner/deps";
import { unlessUnproved } from "@/server/runner/identify";
import type { Session } from "@/server/runner/session";
import { tokenLimits } from "@/server/store/people/principals";
import { createRunHead, type NewRun } from "@/server/store/ledger/run-heads";
import { withTokenUse } from "@/server/store/agents/token-use";

type Deps = Pick<RunnerDeps, "authority" | "clock">;

/** Makes the row of a run. @returns why there is none */
export const createRunFor = async ({ authority }: Deps, principal: Principal, run: Omit<NewRun, "token">): Promise<RefusalCode | null> => {
  if (principal.type !== "agent") return createRunHead(run);
  const limits = await unlessUnproved(tokenLimits(authority, run.workspaceId, principal.token));

  return typeof limits === "string" ? limits : createRunHead({ ...run, token: { id: principal.token, limits } });
};

/** Returns the token that a run counts for, by the signed record that began it. */
const tokenOf = (session: Session): string | null => {
  const begun = session.records().findLast(({ record }) => record.control.some(({ type }) => type === "run_started"));
  const by = begun?.record.principal;

  return by?.type === "agent" ? by.token : null;
};

/** One reservation of a token at a time, so that those who wait take no connections. */
const turns = createKeyedSemaphore(1);

/**
 * Sets the worst case of a model call aside when the token of the run can still pay for it.
 * @param reserve stores what is set aside; until it has, no other call of the token is looked at
 * @returns why nothing is set aside
 */
export const withinTokenCost = async <T>(
  { authority, clock }: Deps,
  session: Session,
  { costMicroUsd, signal }: { readonly costMicroUsd: number; readonly signal: AbortSignal },
  reserve: () => Promise<T>,
): Promise<T | RefusalCode> => {
  const token = costMicroUsd === 0 ? null : tokenOf(session);
  if (token === null) return reserve();
  const { workspace } = session.state();
  const limits = await unlessUnproved(tokenLimits(authority, workspace, token));
  if (typeof limits === "string") return limits;

  return turns.run(token, signal, () =>
    withTokenUse(workspace, token, clock.now(), async (used) =>
      used.micro_usd + costMicroUsd > limits.micro_usd ? "token_cost_limit" : reserve(),
    ),
  );
};
