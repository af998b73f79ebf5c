import { uuidSchema } from "@/lib/ids";
import { readStops } from "@/lib/stop/stops";
import { systemClock } from "@/server/clock";
import { setStopAsOperator } from "@/server/runner/stop-command";
import { listHandovers, listPublicKeys } from "@/server/security/trust-anchor";
import { createAuthorityReader, isAuthorityError } from "@/server/store/trust/authority";
import { listAllWorkspaces } from "@/server/store/workspaces/log";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand } from "./host";
import { awaitAnswer, demandSigner, noWorkspace, useInstalledDatabase, workspaceNotFound } from "./installed";
import { formatJsonLine } from "./problem";

const workspacesOf = async (only: string | null): Promise<readonly string[]> => {
  if (only !== null && !uuidSchema.safeParse(only).success) throw new CliFailure("--workspace expects a workspace ID");
  const found = (await awaitAnswer(listAllWorkspaces())).filter((id) => only === null || id === only);
  if (found.length === 0) throw only === null ? noWorkspace() : workspaceNotFound(only);

  return found;
};

const setSwitch =
  (isStop: boolean): CliCommand =>
  async (argv, host) => {
    const { text } = parseArguments(argv, null, { workspace: "string" });
    useInstalledDatabase(host);
    const signer = demandSigner(host.home);
    const reader = createAuthorityReader({ publicKeys: listPublicKeys, handovers: listHandovers });
    let failed = 0;
    for (const workspace of await workspacesOf(text("workspace"))) {
      try {
        await awaitAnswer(setStopAsOperator({ clock: systemClock, signer }, reader, workspace, isStop));
        const { byAdmin, byOperator } = readStops(await awaitAnswer(reader.read(workspace)));
        await host.out(formatJsonLine({ workspace, stopped_by_operator: byOperator, stopped_by_admin: byAdmin }));
      } catch (error) {
        // The others must stop all the same.
        if (!isAuthorityError(error)) throw error;
        failed += 1;
        await host.err(`countersign: ${error.message}\n`);
      }
    }

    return failed === 0 ? 0 : 1;
  };

export const runStopCommand = setSwitch(true);
export const runResumeCommand = setSwitch(false);
