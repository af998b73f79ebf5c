import { AppError } from "@/lib/errors";
import { graphSchema } from "@/lib/graph/document";
import { validateGraph } from "@/lib/graph/validate";
import { demandGraph, isBoundTo, refuseRead } from "@/server/api/account";
import type { Handlers } from "@/server/api/endpoint";
import { paginate } from "@/server/api/paginate";
import { deriveId } from "@/server/derived-id";
import { getGraph, listGraphs } from "@/server/store/graphs/graphs";
import { getRegistryContext } from "@/server/store/mcp/registry-context";
import { getNewestVersion } from "@/server/store/graphs/versions";
import { importGraph } from "@/server/web/import-graph";
import { publishCase } from "@/server/architect/publishing";
import { askForSecondPerson } from "@/server/web/publishing";
import { toInputError } from "@/server/api/problem";

export const GRAPHS: Handlers<"listGraphs" | "getGraph" | "importGraph" | "validateGraph" | "requestPublication"> = {
  listGraphs: async ({ account, query }) =>
    paginate(
      (await listGraphs(account.workspaceId)).filter(({ id }) => isBoundTo(account, id)),
      query,
    ),

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
    const parsed = graphSchema.safeParse(body.document);
    if (!parsed.success) throw toInputError(parsed.error);

    return importGraph(account.workspaceId, account.token.ownerId, parsed.data, deriveId({ graph: command }));
  },

  validateGraph: async ({ account, body }) => ({
    problems: validateGraph(body.document, await getRegistryContext(account.workspaceId)),
  }),

  requestPublication: async ({ account, params: { graphId }, body, command }) => {
    await demandGraph(account, graphId);
    const outcome = await askForSecondPerson(account.workspaceId, account.author, { id: graphId, ...body }, command);

    return outcome.status === "requested" ? outcome : { status: outcome.status, problems: [...outcome.problems] };
  },
};
