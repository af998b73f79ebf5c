/** Checked here for messages, decided by the runner. */
import type { PublishCommand } from "@/lib/architect/publish-command";
import type { Assertion } from "@/lib/engine/approvals/assertion";
import type { Sender } from "@/server/store/runs/command-envelope";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { AppError } from "@/lib/errors";
import type { HexDigest } from "@/lib/hash";
import { checkAlone, publishCase, type PublishOutcome } from "@/server/architect/publishing";
import { hasErrors } from "@/lib/graph/validate";
import type { Problem } from "@/lib/graph/problems/problem";
import { systemClock } from "@/server/clock";
import { deriveId } from "@/server/derived-id";
import { demandUntaken, getVersion, type GraphVersionRow } from "@/server/store/graphs/versions";
import { getPublishRequest } from "@/server/store/graphs/publish-requests";
import { getRefusal } from "./membership";
import { submitCommand } from "./submit-command";

type Draft = { readonly id: string; readonly revision: number; readonly hash?: HexDigest | undefined };

const TOLD: ReadonlyMap<string, () => AppError> = new Map([
  ["version_moved", () => new AppError("conflict", { message: "The draft or the newest version has changed in the meantime." })],
  ["own_version", () => new AppError("forbidden", { message: "You took part in this draft, so someone else must decide." })],
  ["graph_invalid", () => new AppError("invalid_graph")],
  ["not_found", () => new AppError("not_found")],
]);

const explain = (error: unknown): unknown => {
  const told = TOLD.get(getRefusal(error) ?? "");

  return told ? told() : error;
};

const submit = async (workspaceId: string, author: Sender, body: PublishCommand, id?: string): Promise<void> => {
  await submitCommand({ workspaceId, author, runId: getWorkspaceLedgerId(workspaceId), body }, id).catch((error: unknown) => {
    throw explain(error);
  });
};

const versionRow = async (workspaceId: string, hash: HexDigest): Promise<GraphVersionRow> => {
  const version = await getVersion(workspaceId, hash);
  if (!version) throw new AppError("internal");
  const { graphId, number, authorId, publishedAt } = version;

  return { hash, graphId, number, authorId, publishedAt };
};

export const askToPublish = async (workspaceId: string, author: Sender, draft: Draft): Promise<PublishOutcome> => {
  const checked = await checkAlone(workspaceId, draft);
  if (checked.status !== "ready") return checked;
  const { graphId, hash, problems, published, lineage } = checked.found;
  await demandUntaken(workspaceId, { graphId, hash, documentId: published.graph.id, base: lineage.base?.hash ?? null });
  await submit(workspaceId, author, { kind: "publish", graph: draft.id, revision: draft.revision, hash });

  return { status: "published", version: await versionRow(workspaceId, hash), problems };
};

/** @param command id of an idempotent command @returns the request, or blocking problems */
export const askForSecondPerson = async (
  workspaceId: string,
  author: Sender,
  { id: graph, revision, hash }: Required<Draft> & { readonly hash: HexDigest },
  command?: string,
): Promise<
  { readonly status: "requested"; readonly id: string } | { readonly status: "invalid_graph"; readonly problems: readonly Problem[] }
> => {
  const { problems } = await publishCase(workspaceId, graph, revision);
  if (hasErrors(problems)) return { status: "invalid_graph", problems };
  const request = command === undefined ? systemClock.id() : deriveId({ request: command });
  await submit(workspaceId, author, { kind: "publish_request", request, graph, revision, hash }, command);

  return { status: "requested", id: request };
};

const publishedMeanwhile = async (workspaceId: string, graphId: string, hash: HexDigest): Promise<AppError | null> => {
  const version = await getVersion(workspaceId, hash);
  if (!version) return null;
  const message =
    version.graphId === graphId
      ? `This content was published as version ${version.number} in the meantime. There is nothing left to approve.`
      : "Another graph published exactly this content in the meantime. Decline this request, then change something first, such as the name.";

  return new AppError("conflict", { message });
};

export const askToApprove = async (
  workspaceId: string,
  author: Sender,
  request: string,
  hash: HexDigest,
  assertion?: Assertion,
): Promise<GraphVersionRow> => {
  const found = await getPublishRequest(workspaceId, request);
  if (!found) throw new AppError("not_found");
  if (found.status !== "open") throw new AppError("conflict", { message: "This request is already decided." });
  await submit(workspaceId, author, { kind: "publish_approve", request, hash, ...(assertion ? { assertion } : {}) }).catch(
    async (error: unknown) => {
      throw (await publishedMeanwhile(workspaceId, found.graphId, found.hash)) ?? error;
    },
  );

  return versionRow(workspaceId, hash);
};

export const askToDecline = async (workspaceId: string, author: Sender, request: string, reason: string): Promise<void> => {
  const found = await getPublishRequest(workspaceId, request);
  if (found?.status !== "open") throw new AppError("conflict", { message: "This request is not open." });
  await submit(workspaceId, author, { kind: "publish_decline", request, reason });
};
