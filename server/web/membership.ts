import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { AppError } from "@/lib/errors";
import type { FoundCommand, JoinCommand } from "@/lib/people/membership";
import { submitCommand } from "./submit-command";

/** Submits as an account being created. */
export const submitFor = async (workspaceId: string, userId: string, body: FoundCommand | JoinCommand): Promise<void> => {
  const author = { type: "user", id: userId, session: null } as const;
  await submitCommand({ workspaceId, author, runId: getWorkspaceLedgerId(workspaceId), body });
};

/** Returns null for other errors. */
export const getRefusal = (error: unknown): string | null =>
  error instanceof AppError && error.code === "refused" ? (error.refusal ?? null) : null;
