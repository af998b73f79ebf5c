import { comparePublished, type Comparison } from "@/lib/architect/comparison";
import { AppError } from "@/lib/errors";
import type { Graph, PublishedGraph } from "@/lib/graph/document";
import type { Problem } from "@/lib/graph/problems/problem";
import { buildPublishedGraph, listNamedVersions } from "@/lib/graph/publish";
import { validateGraph } from "@/lib/graph/validate";
import { getGraph } from "@/server/store/graphs/graphs";
import { getLineage } from "@/server/store/graphs/publish-requests";
import { getNumberedVersion, type StoredVersion } from "@/server/store/graphs/versions";
import { getRegistryContext } from "@/server/store/mcp/registry-context";

export type GraphContent =
  | { readonly type: "draft" }
  /** `number` null: the newest, if any. */
  | { readonly type: "version"; readonly number: number | null }
  | { readonly type: "document"; readonly document: Graph };

export type GraphComparison = Comparison & { readonly problems: readonly Problem[] };

type Resolved = { readonly published: PublishedGraph | null; readonly problems: readonly Problem[] };

/** @throws AppError not_found */
export const findVersion = async (workspaceId: string, graphId: string, number: number | null): Promise<StoredVersion | null> => {
  const version = await getNumberedVersion(workspaceId, graphId, number);
  if (!version && number !== null) throw new AppError("not_found", { message: `This graph has no version ${number}.` });

  return version;
};

const readDraft = async (workspaceId: string, graphId: string): Promise<Graph> => {
  const draft = await getGraph(workspaceId, graphId);
  if (!draft) throw new AppError("not_found");

  return draft.document;
};

const resolve = async (workspaceId: string, graphId: string, content: GraphContent): Promise<Resolved> => {
  if (content.type === "version") {
    return { published: (await findVersion(workspaceId, graphId, content.number))?.published ?? null, problems: [] };
  }
  const document = content.type === "draft" ? await readDraft(workspaceId, graphId) : content.document;
  const context = await getRegistryContext(workspaceId, listNamedVersions(document));

  return { published: buildPublishedGraph(document, context), problems: validateGraph(document, context) };
};

/** `problems` are those of `after`. @throws AppError not_found */
export const compareGraph = async (
  workspaceId: string,
  graphId: string,
  { before, after }: { readonly before: GraphContent; readonly after: GraphContent },
): Promise<GraphComparison> => {
  const [old, now, { byArchitect }] = await Promise.all([
    resolve(workspaceId, graphId, before),
    resolve(workspaceId, graphId, after),
    getLineage(workspaceId, graphId),
  ]);
  if (!now.published) throw new AppError("not_found", { message: "This graph has no version yet." });

  return { ...comparePublished(old.published, now.published, byArchitect), problems: now.problems };
};
