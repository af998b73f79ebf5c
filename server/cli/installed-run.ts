import { uuidSchema } from "@/lib/ids";
import { runWorkspace } from "@/server/store/ledger/run-heads";
import { getRun, type RunRow } from "@/server/store/runs/runs";
import { CliFailure } from "./host";
import { awaitAnswer } from "./installed";

export type InstalledRun = { readonly workspaceId: string; readonly run: RunRow };

/** Finds a run of any workspace. @throws CliFailure */
export const findInstalledRun = async (id: string): Promise<InstalledRun> => {
  if (!uuidSchema.safeParse(id).success) throw new CliFailure(`"${id}" is not a run ID`);
  const workspaceId = await awaitAnswer(runWorkspace(id));
  const run = workspaceId === null ? null : await getRun(workspaceId, id);
  if (workspaceId === null || run === null) throw new CliFailure(`run ${id} not found in this installation`);

  return { workspaceId, run };
};
