import { AppError } from "@/lib/errors";
import type { Sender } from "@/server/store/runs/command-envelope";
import type { Authenticated } from "@/server/outside/caller";
import { recordDenied, type DeniedRead } from "@/server/outside/denied";
import type { ApprovalReader } from "@/server/trpc/routers/approvals/get";
import { isPersonal } from "@/lib/engine/principal";
import { getApproval, type ApprovalRow } from "@/server/store/approvals/approvals";
import { getRun, type RunRow } from "@/server/store/runs/runs";
import { findStart } from "@/server/store/runs/start-queue";
import { awaitRecord } from "@/server/web/submit-command";

export type Account = Authenticated & {
  readonly author: Sender;
  readonly reader: ApprovalReader;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Asks again whether the account may still call, for long answers. */
  readonly isStillAllowed: () => Promise<boolean>;
};

export const toAuthor = ({ token, signer }: Authenticated): Sender =>
  isPersonal(token.scopes) && signer.type === "token"
    ? { type: "personal", id: token.ownerId, token: token.id, key: signer.key }
    : { type: "agent", token: token.id, session: null, signer };

export const toReader = ({ workspaceId, token, owner }: Authenticated): ApprovalReader =>
  owner && isPersonal(token.scopes)
    ? { workspaceId, id: token.ownerId, role: owner.role, auditor: owner.auditor }
    : { workspaceId, id: token.id, role: "viewer", auditor: false };

/** Records the attempt: missing and foreign things are answered alike. */
export const refuseRead = async ({ workspaceId, token, signer }: Authenticated, what: DeniedRead): Promise<never> => {
  await recordDenied({ workspaceId, tokenId: token.id, sessionId: null, signer }, what);
  throw new AppError("not_found");
};

export const isBoundTo = ({ token: { graphs } }: Account, graphId: string): boolean => graphs === null || graphs.includes(graphId);

/** @throws AppError not_found, on record */
export const demandGraph = async (account: Account, graphId: string): Promise<void> => {
  if (!isBoundTo(account, graphId)) await refuseRead(account, "graph");
};

export const demandRun = async (account: Account, run: RunRow | null): Promise<RunRow> =>
  run && isBoundTo(account, run.graphId) ? run : refuseRead(account, "run");

const awaitStarted = async ({ workspaceId, token }: Account, runId: string): Promise<RunRow | null> => {
  const start = await findStart(workspaceId, token.id, runId);
  if (!start) return null;
  await awaitRecord({ workspaceId, runId }, start.id);

  return getRun(workspaceId, runId);
};

export const findRun = async (account: Account, runId: string): Promise<RunRow> =>
  demandRun(account, (await getRun(account.workspaceId, runId)) ?? (await awaitStarted(account, runId)));

export const findApproval = async (account: Account, approvalId: string): Promise<ApprovalRow> => {
  const approval = await getApproval(account.workspaceId, approvalId);

  return approval && isBoundTo(account, approval.graphId) ? approval : refuseRead(account, "resource");
};
