import { needsSecondPerson } from "@/lib/architect/second-person";
import { findLive } from "@/lib/environments/environment-fold";
import { AppError } from "@/lib/errors";
import type { PublishedGraph } from "@/lib/graph/document";
import { listVariables } from "@/lib/graph/variables";
import type { HexDigest } from "@/lib/hash";
import { listVariablesRows } from "@/server/store/environments";
import { listNumbers } from "@/server/store/graphs/live";
import { listContributors } from "@/server/store/graphs/publish-requests";
import { getVersion } from "@/server/store/graphs/versions";
import { listSecretsMissingFor } from "@/server/store/missing-secrets";
import { readAuthority } from "@/server/web/authority";

export const listMissing = async (workspaceId: string, version: PublishedGraph, environment: string) => {
  const variables = (await listVariablesRows(workspaceId)).get(environment)?.variables ?? {};

  return {
    missing: listVariables(version).filter((name) => !Object.hasOwn(variables, name)),
    missingSecrets: await listSecretsMissingFor(workspaceId, { published: version, model: null }, environment),
  };
};

/** @throws AppError not_found */
export const previewPromotion = async (workspaceId: string, environment: string, hash: HexDigest) => {
  const { environments: fold } = await readAuthority(workspaceId);
  const version = await getVersion(workspaceId, hash);
  if (!version || !fold.list.some(({ id }) => id === environment)) throw new AppError("not_found");
  const numbers = await listNumbers(workspaceId, version.graphId);
  const live = findLive(
    fold,
    environment,
    numbers.map((one) => one.hash),
  );
  const base = live === null ? null : await getVersion(workspaceId, live);
  const { byArchitect } = await listContributors(workspaceId, version.graphId, { after: live, to: hash });
  const { changes, ...secondPerson } = needsSecondPerson(version.published, base?.published ?? null, byArchitect);

  return {
    number: version.number,
    base: base && { hash: base.hash, number: base.number },
    changes,
    secondPerson,
    ...(await listMissing(workspaceId, version.published, environment)),
  };
};

export const listAnswerable = async (workspaceId: string, userId: string) => {
  const { environments: fold } = await readAuthority(workspaceId);
  const requests = [...fold.requests].filter(([, { by }]) => by !== userId);
  const found = await Promise.all(
    requests.map(async ([id, request]) => {
      const version = await getVersion(workspaceId, request.version);
      const to = fold.list.find((one) => one.id === request.environment);
      if (!version || !to || version.authorId === userId) return [];
      const { involved } = await listContributors(workspaceId, version.graphId, { after: request.base, to: request.version });

      return involved.includes(userId)
        ? []
        : [{ id, by: request.by, atMs: request.atMs, to: to.title, name: version.published.graph.name, number: version.number }];
    }),
  );

  return found.flat();
};
