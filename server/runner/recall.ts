import { getFactPath } from "@/lib/engine/decide/facts";
import type { WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import type { BodyOf } from "@/lib/engine/proposal";
import { listRetracted } from "@/lib/facts/retractions";
import { labelSchema } from "@/lib/graph/label";
import type { Vault } from "@/server/security/vault";
import { loadFacts } from "@/server/store/runs/facts";

type Wanted = { readonly workspaceId: string; readonly runId: string; readonly topics: readonly string[]; readonly limit: number };

/** Finds facts of earlier runs; skips unopenable cells, so that tampering reaches no model. */
export const findRecallFacts = async (vault: Vault, authority: WorkspaceAuthority, wanted: Wanted): Promise<BodyOf<"recall">["facts"]> => {
  const { workspaceId, runId, topics, limit } = wanted;
  const cells = await loadFacts(workspaceId, runId, topics.map(getFactPath), limit, listRetracted(authority));

  return cells.flatMap(({ runId: from, sealed, wrappedKey, label, ...place }) => {
    const opened = vault.openCell({ workspace: workspaceId, run: from, ...place, label }, { sealed, wrappedKey });
    const topic = topics.find((candidate) => getFactPath(candidate) === place.path);
    if (typeof opened === "string" || typeof opened.value !== "string" || topic === undefined) return [];

    return [{ topic, text: opened.value, label: labelSchema.parse(JSON.parse(label)), run: from }];
  });
};
