/** Asks the runner to let people in: the web process can neither make accounts nor change passwords by itself. */
import { workspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { AppError } from "@/lib/errors";
import type { FoundCommand, JoinCommand } from "@/lib/people/membership";
import { submitCommand } from "./submit-command";

/** Submits in the name of an account that is being made. @throws AppError as `submitCommand` */
export const submitFor = async (workspaceId: string, userId: string, body: FoundCommand | JoinCommand): Promise<void> => {
  const author = { type: "user", id: userId, session: null } as const;
  await submitCommand({ workspaceId, author, runId: workspaceLedgerId(workspaceId), body });
};

/** Returns the code of a refusal by the runner; null for any other error. */
export const refusalOf = (error: unknown): string | null =>
  error instanceof AppError && error.code === "refused" ? (error.refusal ?? null) : null;
