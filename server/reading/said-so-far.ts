import { getSaidPlace, keptSaidSchema, type KeptSaid } from "@/lib/engine/said-so-far";
import { findWithheld, NOTHING_SEALED } from "@/lib/engine/labels/reading";
import type { PublishedGraph } from "@/lib/graph/document";
import type { Classification } from "@/lib/graph/label";
import { projectSaid } from "@/lib/outside/said";
import type { Vault } from "@/server/security/vault";
import { listSaidSoFar } from "@/server/store/runs/said-so-far";

type Opener = Pick<Vault, "openCommand">;

/** `text` null: hidden from this reader. */
export type ShownSaid = { readonly node: string; readonly task: string; readonly text: string | null; readonly tool: string | null };

const openKept = async (vault: Opener, workspaceId: string, runId: string): Promise<readonly KeptSaid[]> =>
  (await listSaidSoFar(workspaceId, runId)).flatMap(({ task, sealed }) => {
    try {
      return [keptSaidSchema.parse(vault.openCommand(workspaceId, getSaidPlace(runId, task), sealed))];
    } catch {
      return [];
    }
  });

/** Opens what models say in a run, if this reader may see the record that follows. */
export const openSaidSoFar = async (
  vault: Opener,
  workspaceId: string,
  runId: string,
  clearance: Classification,
): Promise<readonly ShownSaid[]> =>
  (await openKept(vault, workspaceId, runId)).map(({ node, task, label, text, tool }) => {
    // The runner streams nothing while a case is open.
    const isShown = findWithheld({ clearance, sealed: NOTHING_SEALED }, { label, from: [] }) === null;

    return { node, task, text: isShown ? text : null, tool: isShown ? tool : null };
  });

export const openSaidOutside = async (
  vault: Opener,
  workspaceId: string,
  runId: string,
  published: PublishedGraph,
): Promise<string | null> =>
  (await openKept(vault, workspaceId, runId)).map((said) => projectSaid(published, said)).find((text) => text !== null) ?? null;
