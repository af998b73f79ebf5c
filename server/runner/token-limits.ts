import type { Principal } from "@/lib/engine/principal";
import { getRunEnvironment } from "@/lib/environments/environment";
import type { RefusalCode } from "@/lib/refusal";
import { createKeyedSemaphore } from "@/server/keyed-semaphore";
import type { RunnerDeps } from "@/server/runner/deps";
import { unlessUnproved } from "@/server/runner/identify";
import type { Session } from "@/server/runner/session";
import { getTokenTerms } from "@/server/store/people/principals";
import { createRunHead, type NewRun } from "@/server/store/ledger/run-heads";
import { withTokenUse } from "@/server/store/agents/token-use";

type Deps = Pick<RunnerDeps, "authority" | "clock">;

/** @returns the refusal, if any */
export const createRunFor = async ({ authority }: Deps, principal: Principal, run: Omit<NewRun, "token">): Promise<RefusalCode | null> => {
  if (principal.type !== "agent") return createRunHead(run);
  const terms = await unlessUnproved(getTokenTerms(authority, run.workspaceId, principal.token));
  if (typeof terms === "string") return terms;
  const { environments, limits } = terms;
  const { environment } = run;
  const here = getRunEnvironment(typeof environment === "string" ? { environment } : null);
  if (environments.length > 0 && !environments.includes(here)) return "environment_not_granted";

  return createRunHead({ ...run, token: { id: principal.token, limits } });
};

const tokenOf = (session: Session): string | null => {
  const begun = session.records().findLast(({ record }) => record.control.some(({ type }) => type === "run_started"));
  const by = begun?.record.principal;

  return by?.type === "agent" ? by.token : null;
};

/** Waiting reservations of a token take no connections. */
const turns = createKeyedSemaphore(1);

/** Reserves a call's worst case, serialised per token. @returns the refusal, if any */
export const limitToTokenCost = async <T>(
  { authority, clock }: Deps,
  session: Session,
  { costMicroUsd, signal }: { readonly costMicroUsd: number; readonly signal: AbortSignal },
  reserve: () => Promise<T>,
): Promise<T | RefusalCode> => {
  const token = costMicroUsd === 0 ? null : tokenOf(session);
  if (token === null) return reserve();
  const { workspace } = session.state();
  const terms = await unlessUnproved(getTokenTerms(authority, workspace, token));
  if (typeof terms === "string") return terms;
  const { limits } = terms;

  return turns.run(token, signal, () =>
    withTokenUse(workspace, token, clock.now(), async (used) =>
      used.micro_usd + costMicroUsd > limits.micro_usd ? "token_cost_limit" : reserve(),
    ),
  );
};
