import type { BodyOf } from "@/lib/engine/proposal";
import type { Graph } from "@/lib/graph/document";
import { getVersion } from "@/server/store/graphs/versions";
import { findDefaultVersion, findLiveVersion } from "@/server/store/graphs/live";
import { readAuthority } from "@/server/web/authority";
import { demandGraph, refuseRead, type Account } from "./account";
import type { Call } from "./endpoint";

export type StartBody = Call<"startRun">["body"];

export type StartedVersion = { readonly hash: string; readonly graph: Graph };

type Wanted = Pick<StartBody, "graphId" | "graphHash" | "environment">;

export const findStartedVersion = async (
  workspaceId: string,
  { graphId, graphHash, environment }: Wanted,
): Promise<StartedVersion | null> => {
  const { environments } = await readAuthority(workspaceId);
  const version = await (graphHash !== undefined
    ? getVersion(workspaceId, graphHash)
    : environment === undefined
      ? findDefaultVersion(environments, workspaceId, graphId)
      : findLiveVersion(environments, workspaceId, graphId, environment));

  return version?.graphId === graphId ? { hash: version.hash, graph: version.published.graph } : null;
};

/** @throws AppError not_found, on record */
export const findStarted = async (account: Account, wanted: Wanted): Promise<StartedVersion> => {
  await demandGraph(account, wanted.graphId);

  return (await findStartedVersion(account.workspaceId, wanted)) ?? refuseRead(account, "graph");
};

export const toStart = (
  { goal, constraints = [], inputs, model, limits, environment }: StartBody,
  { hash, graph }: StartedVersion,
): Omit<BodyOf<"start">, "kind" | "author"> => ({
  graph_hash: hash,
  goal: goal ?? (graph.description || graph.name),
  constraints,
  inputs,
  model,
  ...(limits ? { limits } : {}),
  ...(environment === undefined ? {} : { environment }),
});
