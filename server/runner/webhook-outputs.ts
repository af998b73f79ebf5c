import { digestInForce } from "@/lib/engine/ledger/workspace-authority";
import type { Principal } from "@/lib/engine/principal";
import { digestGrant, findGrantObjection, pickOutputs, type OutputsCommand } from "@/lib/webhooks/outputs";
import type { ReadOutputs } from "@/server/notify/deliver";
import { createAdminStepSigner } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import { identifyAttempt, isPrincipal } from "@/server/runner/identify";
import { loadRunAt, RunFrozen } from "@/server/runner/load";
import type { OpenedCommand } from "@/server/runner/open-command";
import { log } from "@/server/log";
import { appendDecided } from "@/server/store/runs/attempts";
import { findRunHead } from "@/server/store/webhooks/facts";
import { findEndpointUrl, storeOutputsGrant } from "@/server/store/webhooks/outbox";
import { isAuthorityError } from "@/server/store/trust/authority";

export const carryOutOutputs = async (
  deps: RunnerDeps,
  command: OpenedCommand,
  author: Principal,
  asked: OutputsCommand,
): Promise<void> => {
  const { workspaceId, id } = command;
  const { endpoint, grant } = asked;
  await appendDecided(workspaceId, id, async (tx) => {
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) ? identified : null;
    const refused = findGrantObjection(by, asked, await findEndpointUrl(tx, workspaceId, endpoint));
    const before = digestInForce(await deps.authority.read(workspaceId), "webhooks", endpoint);
    const after = digestGrant(grant);
    const step = { area: "webhooks", subject: endpoint, step: after ? "outputs_granted" : "outputs_ended", commandId: id } as const;

    return {
      sign: createAdminStepSigner(deps, workspaceId, {
        ...step,
        by: by ?? author,
        ...(refused ? { before: null, after: null, refused } : { before, after }),
      }),
      project: () => (refused ? Promise.resolve() : storeOutputsGrant(tx, workspaceId, endpoint, grant)),
    };
  });
  deps.notify(command.runId);
};

export const createReadOutputs =
  ({ authority, vault, publicKeys }: Pick<RunnerDeps, "authority" | "vault" | "publicKeys">): ReadOutputs =>
  async ({ workspaceId, endpointId, runId, grant }) => {
    try {
      await authority.demand(workspaceId, "webhooks", endpointId, digestGrant(grant) ?? "");
      const found = await findRunHead(workspaceId, runId);
      if (!found) return null;
      const { graphHash, version, head } = found;
      const { state } = await loadRunAt(vault, await publicKeys(), { workspaceId, runId, version, digest: head }, graphHash);

      return pickOutputs(state, grant);
    } catch (error) {
      if (!isAuthorityError(error) && !(error instanceof RunFrozen)) throw error;
      log().error({ workspace: workspaceId, endpoint: endpointId, fault: error.name }, "a webhook goes without the values of its run");

      return null;
    }
  };
