import type { AuthorityChange } from "@/lib/architect/authority-diff";
import type { UnattendedEffect } from "@/lib/architect/second-person";
import { digestInForce } from "@/lib/engine/ledger/workspace-authority";
import { requestDigest } from "@/lib/engine/ledger/settings-digests";
import { AppError } from "@/lib/errors";
import { hasErrors } from "@/lib/graph/validate";
import { approveRequest, publishCase, type PublishCase } from "@/server/architect/publishing";
import { ENGINE, recordAdminStep, type AdminSigning } from "@/server/runner/admin-ledger";
import { buildApprovedStep, requestSubject } from "@/server/runner/approved-step";
import { confirmEnvironments } from "@/server/runner/confirm-environments";
import { confirmPins } from "@/server/runner/confirm-pins";
import type { AuthorityReader } from "@/server/store/trust/authority";
import type { GraphVersionRow } from "@/server/store/graphs/versions";
import {
  getPublishRequest,
  listPublishRequests,
  listSecondPeople,
  type NewPublishRequest,
  type PublishRequestRow,
} from "@/server/store/graphs/publish-requests";
import { projectLiveTriggers } from "@/server/store/triggers/live";
import { OPERATOR_ID } from "@/lib/operator";

/** `operator`: no member can answer. `void`: something changed since. `mismatch`: the row differs from the signed records. */
export type RequestStanding = "waits" | "operator" | "void" | "mismatch";

export type OpenRequest = {
  readonly request: PublishRequestRow;
  readonly status: RequestStanding;
  readonly answerableBy: readonly string[];
  /** Computed from the current draft, never from the row; empty when void. */
  readonly changes: readonly AuthorityChange[];
  readonly unattended: readonly UnattendedEffect[];
};

const caseOf = async (workspaceId: string, request: PublishRequestRow): Promise<PublishCase | null> => {
  const found = await publishCase(workspaceId, request.graphId, request.revision).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  const isSame = found?.hash === request.hash && (found.lineage.base?.hash ?? null) === request.baseHash && !hasErrors(found.problems);

  return isSame ? found : null;
};

const involvedIn = (request: Pick<NewPublishRequest, "involved">, found: PublishCase): readonly string[] => [
  ...new Set([...request.involved, ...found.lineage.involved]),
];

const standingOf = async (reader: AuthorityReader, workspaceId: string, request: PublishRequestRow): Promise<OpenRequest> => {
  const found = await caseOf(workspaceId, request);
  const people = found ? await listSecondPeople(reader, workspaceId, involvedIn(request, found)) : [];
  const recorded = digestInForce(await reader.read(workspaceId), "versions", requestSubject(request.id));
  const status = recorded !== requestDigest(request) ? "mismatch" : found === null ? "void" : people.length > 0 ? "waits" : "operator";

  return {
    request,
    status,
    answerableBy: people.map(({ name }) => name),
    changes: found?.changes ?? [],
    unattended: found?.secondPerson.unattended ?? [],
  };
};

/** Newest first. @throws AuthorityUnverified */
export const openRequestsOf = async (reader: AuthorityReader, workspaceId: string): Promise<readonly OpenRequest[]> => {
  const listed: OpenRequest[] = [];
  for (const request of await listPublishRequests(workspaceId, null)) listed.push(await standingOf(reader, workspaceId, request));

  return listed;
};

/**
 * Publishes a request with the operator's approval, on record. @throws AppError as `approveRequest`; `forbidden` when a member can answer
 * @throws ProjectionMismatch, AuthorityUnverified
 */
export const approveAsOperator = async (
  signing: AdminSigning,
  reader: AuthorityReader,
  workspaceId: string,
  id: string,
): Promise<GraphVersionRow> => {
  const request = await getPublishRequest(workspaceId, id);
  if (!request) throw new AppError("not_found");
  const found = await publishCase(workspaceId, request.graphId, request.revision);
  const people = await listSecondPeople(reader, workspaceId, involvedIn(request, found));
  if (people.length > 0) {
    throw new AppError("forbidden", { message: `${people.map(({ name }) => name).join(", ")} can answer this request in the product.` });
  }

  return approveRequest(workspaceId, OPERATOR_ID, id, request.hash, {
    confirm: (asked, client) => reader.demand(workspaceId, "versions", requestSubject(id), requestDigest(asked), client),
    record: async (version, client, published) => {
      await confirmPins(reader, workspaceId, published.tools);
      await confirmEnvironments(reader, workspaceId, published);
      await recordAdminStep(
        signing,
        workspaceId,
        { ...buildApprovedStep(version, id, "approved_by_operator"), by: ENGINE, area: "versions" },
        client,
      );
      await projectLiveTriggers(client, workspaceId, (await reader.read(workspaceId, client)).environments, version.graphId);
    },
  });
};
