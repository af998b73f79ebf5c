import { getSaidPlace, keptSaidSchema } from "@/lib/engine/said-so-far";
import { findWithheld, NOTHING_SEALED } from "@/lib/engine/labels/reading";
import type { Classification } from "@/lib/graph/label";
import type { Vault } from "@/server/security/vault";
import { listSaidSoFar } from "@/server/store/runs/said-so-far";

/** `text` null: hidden from this reader. */
export type ShownSaid = { readonly node: string; readonly task: string; readonly text: string | null; readonly tool: string | null };

/** Opens what models say in a run, if this reader may see the record that follows. */
export const openSaidSoFar = async (
  vault: Pick<Vault, "openCommand">,
  workspaceId: string,
  runId: string,
  clearance: Classification,
): Promise<readonly ShownSaid[]> =>
  (await listSaidSoFar(workspaceId, runId)).flatMap(({ task, sealed }): ShownSaid[] => {
    try {
      const { node, label, text, tool } = keptSaidSchema.parse(vault.openCommand(workspaceId, getSaidPlace(runId, task), sealed));
      // The runner streams nothing while a case is open.
      const isShown = findWithheld({ clearance, sealed: NOTHING_SEALED }, { label, from: [] }) === null;

      return [{ node, task, text: isShown ? text : null, tool: isShown ? tool : null }];
    } catch {
      return [];
    }
  });
