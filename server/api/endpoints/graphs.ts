import { listPlaces, listPromotions } from "@/lib/environments/places";
import { AppError } from "@/lib/errors";
import { graphSchema, type Graph } from "@/lib/graph/document";
import { validateGraph } from "@/lib/graph/validate";
import { isAllowed } from "@/lib/roles";
import { demandGraph, isBoundTo, refuseRead } from "@/server/api/account";
import type { Call, Handlers } from "@/server/api/endpoint";
import { paginate } from "@/server/api/paginate";
import { deriveId } from "@/server/derived-id";
import { listGraphsNamed } from "@/server/store/graphs/document-ids";
import { getGraph, listGraphs } from "@/server/store/graphs/graphs";
import { getRegistryContext } from "@/server/store/mcp/registry-context";
import { readNameable } from "@/server/web/nameable";
import { getNewestVersion } from "@/server/store/graphs/versions";
import { importGraph } from "@/server/web/import-graph";
import { compareGraph, findVersion, type GraphContent } from "@/server/architect/comparing";
import { publishCase } from "@/server/architect/publishing";
import { saveDraft } from "@/server/architect/saving";
import { listPublishRequests } from "@/server/store/graphs/publish-requests";
import { askToPromote, readPlaces } from "@/server/web/promotion";
import { askForSecondPerson } from "@/server/web/publishing";
import { toInputError } from "@/server/api/problem";

type GraphOperation =
  | "compareGraph"
  | "getGraph"
  | "getVersion"
  | "listEnvironments"
  | "listPromotionRequests"
  | "requestPromotion"
  | "importGraph"
  | "listGraphs"
  | "listPublicationRequests"
  | "requestPublication"
  | "saveDraft"
  | "validateGraph";

const readGraph = (document: unknown): Graph => {
  const parsed = graphSchema.safeParse(document);
  if (!parsed.success) throw toInputError(parsed.error);

  return parsed.data;
};

type Given = Call<"compareGraph">["body"]["before"];

const toContent = (given: Given): GraphContent =>
  given.type === "document" ? { type: "document", document: readGraph(given.document) } : given;

export const GRAPHS: Handlers<GraphOperation> = {
  listGraphs: async ({ account, query }) => {
    const { documentId } = query;
    const named = documentId === undefined ? null : await listGraphsNamed(account.workspaceId, documentId);
    const graphs = await listGraphs(account.workspaceId);

    return paginate(
      graphs.filter(({ id }) => isBoundTo(account, id) && (named === null || named.includes(id))),
      query,
    );
  },

  getGraph: async ({ account, params: { graphId } }) => {
    await demandGraph(account, graphId);
    const draft = (await getGraph(account.workspaceId, graphId)) ?? (await refuseRead(account, "graph"));
    const newest = await getNewestVersion(account.workspaceId, graphId);
    const { hash } = await publishCase(account.workspaceId, graphId, draft.revision);

    return {
      id: draft.id,
      revision: draft.revision,
      hash,
      version: newest && { hash: newest.version, number: newest.number },
      document: draft.document,
    };
  },

  importGraph: async ({ account, body, command }) => {
    if (account.token.graphs !== null) {
      throw new AppError("forbidden", { message: "This account is bound to graphs, so it can't import others." });
    }
    const { document, keepsId } = body;

    return importGraph(account.workspaceId, account.token.ownerId, readGraph(document), { id: deriveId({ graph: command }), keepsId });
  },

  getVersion: async ({ account, params: { graphId }, query }) => {
    await demandGraph(account, graphId);
    const version = await findVersion(account.workspaceId, graphId, query.number ?? null);
    if (!version) throw new AppError("not_found");
    const { hash, number, publishedAt, published } = version;

    return { hash, number, publishedAt, document: published.graph };
  },

  compareGraph: async ({ account, params: { graphId }, body: { before, after } }) => {
    await demandGraph(account, graphId);
    const found = await compareGraph(account.workspaceId, graphId, { before: toContent(before), after: toContent(after) });

    return {
      ...found,
      problems: [...found.problems],
      unattended: [...found.unattended],
      changes: [...found.changes],
      parts: [...found.parts],
    };
  },

  saveDraft: async ({ account, params: { graphId }, body: { revision, document } }) => {
    await demandGraph(account, graphId);
    if (!account.owner || !isAllowed(account.owner.role, "graph.edit")) throw new AppError("refused", { refusal: "role_missing" });
    const push = { revision, document: readGraph(document), authorId: account.token.ownerId };

    return { revision: await saveDraft(account.workspaceId, graphId, push) };
  },

  listPublicationRequests: async ({ account, params: { graphId } }) => {
    await demandGraph(account, graphId);

    return { items: [...(await listPublishRequests(account.workspaceId, graphId))] };
  },

  validateGraph: async ({ account, body }) => ({
    problems: validateGraph(body.document, {
      ...(await getRegistryContext(account.workspaceId)),
      ...(await readNameable(account.workspaceId)),
    }),
  }),

  requestPublication: async ({ account, params: { graphId }, body, command }) => {
    await demandGraph(account, graphId);
    const outcome = await askForSecondPerson(account.workspaceId, account.author, { id: graphId, ...body }, command);

    return outcome.status === "requested" ? outcome : { status: outcome.status, problems: [...outcome.problems] };
  },

  listEnvironments: async ({ account, params: { graphId } }) => {
    await demandGraph(account, graphId);
    const { fold, numbers } = await readPlaces(account.workspaceId, graphId);

    return { items: listPlaces(fold, numbers) };
  },

  listPromotionRequests: async ({ account, params: { graphId } }) => {
    await demandGraph(account, graphId);
    const { fold, numbers } = await readPlaces(account.workspaceId, graphId);

    return {
      items: listPromotions(fold, numbers).map(({ version: hash, atMs: createdAt, ...request }) => ({ ...request, hash, createdAt })),
    };
  },

  requestPromotion: async ({ account, params: { graphId }, body, command }) => {
    await demandGraph(account, graphId);

    return askToPromote(account.workspaceId, account.author, { graphId, ...body }, command);
  },
};
