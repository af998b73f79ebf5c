import type { AuthorityChange } from "@/lib/architect/authority-diff";
import { needsSecondPerson, type SecondPerson } from "@/lib/architect/second-person";
import { AppError } from "@/lib/errors";
import type { PublishedGraph } from "@/lib/graph/document";
import type { Problem } from "@/lib/graph/problems/problem";
import { listNamedVersions, buildPublishedGraph, computeVersionHash } from "@/lib/graph/publish";
import { hasErrors, validateGraph } from "@/lib/graph/validate";
import type { HexDigest } from "@/lib/hash";
import { jsonSchema } from "@/lib/json";
import { systemClock } from "@/server/clock";
import { demandAllowedModels } from "@/server/models/choosable";
import type { LedgerTransaction } from "@/server/store/runs/attempts";
import { getVersion, publishOver, type GraphVersionRow, type RecordVersion } from "@/server/store/graphs/versions";
import { getGraph } from "@/server/store/graphs/graphs";
import {
  approvePublishRequest,
  declinePublishRequest,
  getPublishRequest,
  insertPublishRequest,
  getLineage,
  type ApprovalRecord,
  type Lineage,
  type RecordRequest,
} from "@/server/store/graphs/publish-requests";
import { getRegistryContext } from "@/server/store/mcp/registry-context";
import type { Asker } from "./ask";

export type PublishCase = {
  readonly graphId: string;
  readonly revision: number;
  readonly problems: readonly Problem[];
  readonly published: PublishedGraph;
  readonly hash: HexDigest;
  readonly lineage: Lineage;
  readonly changes: readonly AuthorityChange[];
  readonly secondPerson: SecondPerson;
};

const publishedVersion = async (workspaceId: string, hash: HexDigest): Promise<PublishedGraph> => {
  const version = await getVersion(workspaceId, hash);
  if (!version) throw new AppError("not_found");

  return version.published;
};

export const publishCase = async (workspaceId: string, graphId: string, revision: number): Promise<PublishCase> => {
  const draft = await getGraph(workspaceId, graphId);
  if (!draft) throw new AppError("not_found");
  if (draft.revision !== revision) throw new AppError("conflict");
  const [context, lineage] = await Promise.all([
    getRegistryContext(workspaceId, listNamedVersions(draft.document)),
    getLineage(workspaceId, graphId),
  ]);
  const published = buildPublishedGraph(draft.document, context);
  const base = lineage.base ? await publishedVersion(workspaceId, lineage.base.hash) : null;
  const { changes, ...secondPerson } = needsSecondPerson(published, base, lineage.byArchitect);

  return {
    graphId,
    revision,
    problems: validateGraph(draft.document, context),
    published,
    hash: computeVersionHash(published),
    lineage,
    changes,
    secondPerson,
  };
};

export type PublishOutcome =
  | { readonly status: "published"; readonly version: GraphVersionRow; readonly problems: readonly Problem[] }
  | { readonly status: "invalid_graph"; readonly problems: readonly Problem[] }
  | { readonly status: "needs_second_person"; readonly problems: readonly Problem[]; readonly changes: readonly AuthorityChange[] };

const sameContent = (found: PublishCase, hash: HexDigest | undefined): void => {
  if (hash === undefined && found.lineage.byArchitect) {
    throw new AppError("bad_request", { message: "What an architect drew is published by the name of its content." });
  }
  if (hash !== undefined && hash !== found.hash) {
    throw new AppError("conflict", { message: "The content is no longer the one that was looked at." });
  }
};

const moved = (): AppError => new AppError("conflict", { message: "The draft or the newest version has changed in the meantime." });

type Draft = {
  readonly id: string;
  readonly revision: number;
  readonly hash?: HexDigest | undefined;
};

type Objection = Exclude<PublishOutcome, { status: "published" }>;

export const checkAlone = async (
  workspaceId: string,
  draft: Draft,
): Promise<{ readonly status: "ready"; readonly found: PublishCase } | Objection> => {
  const found = await publishCase(workspaceId, draft.id, draft.revision);
  const { problems, published, changes } = found;
  if (hasErrors(problems)) return { status: "invalid_graph", problems };
  sameContent(found, draft.hash);
  await demandAllowedModels(workspaceId, published);

  return found.secondPerson.needed ? { status: "needs_second_person", problems, changes } : { status: "ready", found };
};

/** @param record null: unrecorded, in tests */
export const publishAlone = async (
  workspaceId: string,
  userId: string,
  draft: Draft,
  record: RecordVersion | null = null,
): Promise<PublishOutcome> => {
  const checked = await checkAlone(workspaceId, draft);
  if (checked.status !== "ready") return checked;
  const { problems, published, lineage } = checked.found;
  const version = await publishOver(
    workspaceId,
    { graphId: draft.id, published, authorId: userId, revision: draft.revision },
    { revision: draft.revision, base: lineage.base?.hash ?? null },
    record,
  );
  if (!version) throw moved();

  return { status: "published", version, problems };
};

export const requestPublish = async (
  workspaceId: string,
  asker: Asker,
  draft: { readonly id: string; readonly revision: number; readonly hash: HexDigest },
  { id = systemClock.id(), record = null }: { readonly id?: string; readonly record?: RecordRequest | null } = {},
): Promise<
  { readonly status: "requested"; readonly id: string } | { readonly status: "invalid_graph"; readonly problems: readonly Problem[] }
> => {
  const found = await publishCase(workspaceId, draft.id, draft.revision);
  if (hasErrors(found.problems)) return { status: "invalid_graph", problems: found.problems };
  sameContent(found, draft.hash);
  await demandAllowedModels(workspaceId, found.published);
  const request = {
    id,
    graphId: draft.id,
    revision: draft.revision,
    hash: found.hash,
    baseHash: found.lineage.base?.hash ?? null,
    requestedBy: asker.userId,
    tokenId: asker.tokenId,
    involved: [...new Set([...found.lineage.involved, asker.userId])],
    changes: jsonSchema.parse(JSON.parse(JSON.stringify(found.changes))),
  };
  await insertPublishRequest(workspaceId, request, record);

  return { status: "requested", id };
};

/** @throws AppError `forbidden` for involved people, `conflict` for changes since */
export const approveRequest = async (
  workspaceId: string,
  userId: string,
  id: string,
  hash: HexDigest,
  record: ApprovalRecord = { confirm: null, record: null },
): Promise<GraphVersionRow> => {
  const request = await getPublishRequest(workspaceId, id);
  if (!request) throw new AppError("not_found");
  if (request.status !== "open") throw new AppError("conflict", { message: "This request is already decided." });
  const found = await publishCase(workspaceId, request.graphId, request.revision).catch((error: unknown) => {
    throw error instanceof AppError && error.code === "conflict" ? moved() : error;
  });
  // The architect may have been asked, or the draft saved, meanwhile.
  const involved = new Set([...request.involved, ...found.lineage.involved]);
  if (involved.has(userId)) throw new AppError("forbidden", { message: "You took part in this draft, so someone else must decide." });
  if (hasErrors(found.problems)) throw new AppError("invalid_graph");
  if (hash !== request.hash || found.hash !== request.hash || (found.lineage.base?.hash ?? null) !== request.baseHash) throw moved();
  await demandAllowedModels(workspaceId, found.published);
  const version = await approvePublishRequest(
    workspaceId,
    request,
    {
      graphId: request.graphId,
      published: found.published,
      authorId: request.requestedBy,
      revision: request.revision,
    },
    userId,
    record,
  );
  if (!version) throw moved();

  return version;
};

export const declineRequest = async (
  workspaceId: string,
  userId: string,
  id: string,
  reason: string,
  record: ((client: LedgerTransaction) => Promise<void>) | null = null,
): Promise<void> => {
  const closed = await declinePublishRequest(workspaceId, id, userId, reason, record);
  if (!closed) throw new AppError("conflict", { message: "This request is not open." });
};
