import type { PublishedGraph } from "@/lib/graph/document";
import { collectFacts } from "@/lib/graph/facts/facts";
import { findApproverProblems } from "@/lib/graph/problems/approvers";
import { AppError } from "@/lib/errors";
import { listNameable } from "@/lib/people/nameable";
import type { AuthorityReader } from "@/server/store/trust/authority";

/** Requires existing approvers, enough for quorums. @throws AppError, AuthorityUnverified */
export const confirmApprovers = async (
  authority: AuthorityReader,
  workspaceId: string,
  { graph, agents, tools }: PublishedGraph,
): Promise<void> => {
  if (!graph.nodes.some(({ approvers }) => approvers)) return;
  const approvers = listNameable(await authority.read(workspaceId));
  if (findApproverProblems(collectFacts(graph, { agents, tools, versions: [], approvers })).length > 0) throw new AppError("invalid_graph");
};
