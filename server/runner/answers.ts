import { refuse, type RefusalCode } from "@/lib/refusal";
import { raiseForged } from "@/server/runner/alarms";
import type { RunnerDeps } from "@/server/runner/deps";
import { answerCommand } from "@/server/store/runs/commands";

type Addressed = { readonly workspaceId: string; readonly runId: string; readonly id: string };

export const answerRefused = async (deps: Pick<RunnerDeps, "clock">, command: Addressed, code: RefusalCode): Promise<void> => {
  if (code === "command_forged") await raiseForged(deps, command);
  await answerCommand(command.workspaceId, command.id, "refused", { seq: -1, refusal: refuse(code) }, deps.clock.now());
};
