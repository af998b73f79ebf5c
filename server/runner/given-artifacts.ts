import { getArtifactSource, listReferences } from "@/lib/artifact";
import type { Principal } from "@/lib/engine/principal";
import type { Json } from "@/lib/json";
import { wasGiven } from "@/server/store/artifacts";

const getGiver = (principal: Principal): string | null => {
  if (principal.type === "user") return principal.id;

  return principal.type === "agent" ? principal.token : null;
};

const MOST_FILES = 50;

/** Returns the sources of uploaded ones. */
export const findGivenArtifacts = async (workspaceId: string, principal: Principal, value: Json): Promise<readonly string[]> => {
  const giver = getGiver(principal);
  const named = giver === null ? [] : listReferences(value).filter((artifact) => artifact !== null);
  if (giver === null || named.length > MOST_FILES) return [];
  const found = await Promise.all(
    named.map(async (artifact) => ((await wasGiven(workspaceId, giver, artifact)) ? [getArtifactSource(artifact)] : [])),
  );

  return found.flat();
};
