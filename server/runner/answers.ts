/** The answer to a command that becomes no record. */
import { refuse, type RefusalCode } from "@/lib/refusal";
import type { RunnerDeps } from "@/server/runner/deps";
import { answerCommand } from "@/server/store/commands";

type Addressed = { readonly workspaceId: string; readonly id: string };

export const answerRefused = (deps: Pick<RunnerDeps, "clock">, { workspaceId, id }: Addressed, code: RefusalCode): Promise<void> =>
  answerCommand(workspaceId, id, "refused", { seq: -1, refusal: refuse(code) }, deps.clock.now());
