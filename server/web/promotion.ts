import { needsSecondPerson } from "@/lib/architect/second-person";
import { findLive } from "@/lib/environments/environment-fold";
import { AppError } from "@/lib/errors";
import { listVariables } from "@/lib/graph/variables";
import type { HexDigest } from "@/lib/hash";
import { listVariablesRows } from "@/server/store/environments";
import { listNumbers } from "@/server/store/graphs/live";
import { listContributors } from "@/server/store/graphs/publish-requests";
import { getVersion } from "@/server/store/graphs/versions";
import { readAuthority } from "@/server/web/authority";

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
  const variables = (await listVariablesRows(workspaceId)).get(environment)?.variables ?? {};

  return {
    number: version.number,
    base: base && { hash: base.hash, number: base.number },
    changes,
    secondPerson,
    missing: listVariables(version.published).filter((name) => !Object.hasOwn(variables, name)),
  };
};
