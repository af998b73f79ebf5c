import type { PublishCommand } from "@/lib/architect/publish-command";
import type { Countersigned } from "@/lib/engine/events/workspace";
import { countersign } from "@/lib/engine/ledger/passkey-fold";
import type { Principal } from "@/lib/engine/principal";
import { requestDigest, computeVersionDigest } from "@/lib/engine/ledger/settings-digests";
import type { PublishedGraph } from "@/lib/graph/document";
import { getFirst } from "@/lib/environments/environment";
import { AppError, type ErrorCode } from "@/lib/errors";
import type { RefusalCode } from "@/lib/refusal";
import { err, type Result } from "@/lib/result";
import { isAllowed } from "@/lib/roles";
import type { AdminStep } from "@/server/admin-step";
import { approveRequest, declineRequest, publishAlone, requestPublish } from "@/server/architect/publishing";
import { ownOrigin } from "@/server/own-origin";
import { createAdminStepSigner } from "@/server/runner/admin-ledger";
import { getStandingPolicy } from "@/server/runner/approval-policy";
import { buildApprovedStep, requestSubject } from "@/server/runner/approved-step";
import { confirmApprovers } from "@/server/runner/confirm-approvers";
import { confirmEnvironments } from "@/server/runner/confirm-environments";
import { confirmPins } from "@/server/runner/confirm-pins";
import { answerRefused } from "@/server/runner/answers";
import type { RunnerDeps } from "@/server/runner/deps";
import { getCode as authorityCodeOf } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { answerWithRecord, appendOwnRecord, type LedgerTransaction } from "@/server/store/runs/attempts";
import type { GraphVersionRow } from "@/server/store/graphs/versions";
import { projectLiveTriggers } from "@/server/store/triggers/live";
import { findPublishRequester } from "@/server/store/people/principals";

type Step = Omit<AdminStep, "by" | "area" | "commandId">;

const CODES: Partial<Record<ErrorCode, RefusalCode>> = {
  not_found: "not_found",
  conflict: "version_moved",
  forbidden: "own_version",
  invalid_graph: "graph_invalid",
};

const codeOf = (error: unknown): RefusalCode => {
  if (error instanceof AppError) return error.refusal ?? CODES[error.code] ?? "step_refused";

  return authorityCodeOf(error);
};

const askerOf = async (
  deps: RunnerDeps,
  workspaceId: string,
  by: Principal,
  graph: string,
): Promise<{ readonly userId: string; readonly tokenId: string | null } | null> => {
  if (by.type === "user") return isAllowed(by.role, "graph.publish") ? { userId: by.id, tokenId: null } : null;
  if (by.type !== "agent") return null;
  const asked = { tokenId: by.token, graphId: graph };
  const requester = await findPublishRequester(deps.authority, workspaceId, asked, deps.clock.now());

  return requester && { userId: requester.ownerId, tokenId: by.token };
};

const publisherOf = (by: Principal): string | null => (by.type === "user" && isAllowed(by.role, "graph.publish") ? by.id : null);

const recorder =
  (deps: RunnerDeps, { workspaceId, id }: OpenedCommand, by: Principal) =>
  async (step: Step, client: LedgerTransaction): Promise<void> => {
    const { record } = await appendOwnRecord(
      client,
      workspaceId,
      createAdminStepSigner(deps, workspaceId, { ...step, area: "versions", by, commandId: id }),
    );
    await answerWithRecord(client, workspaceId, id, record);
  };

const signedYes = async (
  { authority }: RunnerDeps,
  workspace: string,
  user: string,
  { kind, request, hash, assertion }: Extract<PublishCommand, { kind: "publish_approve" }>,
): Promise<Result<Countersigned | null, RefusalCode>> => {
  const { passkeys, environments } = await authority.read(workspace);
  const { inForce } = await getStandingPolicy(authority, workspace, getFirst(environments.list));
  if (inForce === "write" && !assertion) return err("passkey_required");

  return countersign(passkeys, { workspace, user, origin: ownOrigin() }, { kind, request, hash }, assertion);
};

const confirm = async ({ authority }: RunnerDeps, workspaceId: string, published: PublishedGraph): Promise<void> => {
  await confirmPins(authority, workspaceId, published.tools);
  await confirmApprovers(authority, workspaceId, published);
  await confirmEnvironments(authority, workspaceId, published);
};

const project = async (
  { authority }: RunnerDeps,
  workspaceId: string,
  { graphId }: GraphVersionRow,
  client: LedgerTransaction,
): Promise<void> => projectLiveTriggers(client, workspaceId, (await authority.read(workspaceId, client)).environments, graphId);

const carryOut = async (deps: RunnerDeps, command: OpenedCommand, by: Principal, asked: PublishCommand): Promise<RefusalCode | null> => {
  const { workspaceId } = command;
  const record = recorder(deps, command, by);
  if (asked.kind === "publish_request") {
    const { request: id, graph, revision, hash } = asked;
    const asker = await askerOf(deps, workspaceId, by, graph);
    if (!asker) return "principal_not_allowed";
    const outcome = await requestPublish(
      workspaceId,
      asker,
      { id: graph, revision, hash },
      {
        id,
        record: (request, client) =>
          record({ subject: requestSubject(id), step: "requested", before: null, after: requestDigest(request) }, client),
      },
    );

    return outcome.status === "requested" ? null : "graph_invalid";
  }
  const userId = publisherOf(by);
  if (userId === null) return "principal_not_allowed";
  switch (asked.kind) {
    case "publish": {
      const { graph: id, revision, hash } = asked;
      const outcome = await publishAlone(workspaceId, userId, { id, revision, hash }, async (version, client, published) => {
        await confirm(deps, workspaceId, published);
        await record({ subject: version.hash, step: "published", before: null, after: computeVersionDigest(version) }, client);
        await project(deps, workspaceId, version, client);
      });
      if (outcome.status === "published") return null;

      return outcome.status === "invalid_graph" ? "graph_invalid" : "second_person_missing";
    }
    case "publish_approve": {
      const signed = await signedYes(deps, workspaceId, userId, asked);
      if (!signed.ok) return signed.error;
      await approveRequest(workspaceId, userId, asked.request, asked.hash, {
        confirm: (request, client) =>
          deps.authority.demand(workspaceId, "versions", requestSubject(asked.request), requestDigest(request), client),
        record: async (version, client, published) => {
          await confirm(deps, workspaceId, published);
          const step = buildApprovedStep(version, asked.request, "approved");
          await record({ ...step, also: [...(step.also ?? []), ...(signed.value ? [signed.value] : [])] }, client);
          await project(deps, workspaceId, version, client);
        },
      });

      return null;
    }
    case "publish_decline":
      await declineRequest(workspaceId, userId, asked.request, asked.reason, (client) =>
        record({ subject: requestSubject(asked.request), step: "declined", before: null, after: null }, client),
      );

      return null;
    default:
      return asked satisfies never;
  }
};

/** A refusal leaves no record. */
export const carryOutPublishing = async (deps: RunnerDeps, command: OpenedCommand, by: Principal, asked: PublishCommand): Promise<void> => {
  const refused = await carryOut(deps, command, by, asked).catch(codeOf);
  if (refused) await answerRefused(deps, command, refused);
  deps.notify(command.runId);
};
