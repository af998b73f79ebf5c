import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { BodyOf, CommandBody } from "@/lib/engine/proposal";
import { systemClock } from "@/server/clock";
import { deriveId } from "@/server/derived-id";
import { demandAllowed } from "@/server/models/choosable";
import { getApproval } from "@/server/store/approvals/approvals";
import { getVersion } from "@/server/store/graphs/versions";
import type { Sender } from "@/server/store/runs/command-envelope";
import { getRun } from "@/server/store/runs/runs";
import { demandKept } from "@/server/web/demand-kept";
import { refuseAttempt } from "@/server/web/refuse-attempt";
import { submitCommand, type Submission } from "@/server/web/submit-command";

export type Asker = {
  readonly workspaceId: string;
  readonly author: Sender;
  /** Id of an idempotent command, from which a new run's id is derived. */
  readonly command?: string;
};

type Of<K extends CommandBody["kind"]> = Omit<Extract<CommandBody, { kind: K }>, "kind">;

export const toRunId = (command: string): string => deriveId({ run: command });

const newRunId = ({ command }: Asker): string => (command === undefined ? systemClock.id() : toRunId(command));

const toSubmission = ({ workspaceId, author }: Asker, runId: string, body: CommandBody): Submission => ({
  workspaceId,
  author,
  runId,
  body,
});

export const demandStartModel = demandAllowed;

/** @throws AppError */
export const startRun = async (asker: Asker, wanted: Of<"start">): Promise<{ runId: string }> => {
  await demandStartModel(asker.workspaceId, wanted.model);
  const runId = newRunId(asker);
  const submission = toSubmission(asker, runId, { kind: "start", ...wanted });
  const version = await getVersion(asker.workspaceId, wanted.graph_hash);
  if (!version) return refuseAttempt(submission);
  await demandKept(asker.workspaceId, version.graphId);
  await submitCommand(submission, asker.command);

  return { runId };
};

/** @throws AppError */
export const cancelRun = async (asker: Asker, runId: string, body: Of<"cancel">): Promise<{ seq: number }> => {
  const submission = toSubmission(asker, runId, { kind: "cancel", ...body });

  return (await getRun(asker.workspaceId, runId)) ? submitCommand(submission, asker.command) : refuseAttempt(submission);
};

/** Refusals go to the parent's ledger. @throws AppError */
export const forkRun = async (
  asker: Asker,
  { parent, seq, change, effects }: { readonly parent: string; readonly seq: number } & Pick<BodyOf<"fork">, "change" | "effects">,
): Promise<{ runId: string }> => {
  if (change.type === "model") await demandAllowed(asker.workspaceId, change.model);
  const run = newRunId(asker);
  const submission = toSubmission(asker, parent, { kind: "fork", run, parent_run: parent, parent_seq: seq, change, effects });
  const found = await getRun(asker.workspaceId, parent);
  if (!found) return refuseAttempt(submission);
  if (effects === "live") await demandKept(asker.workspaceId, found.graphId);
  await submitCommand(submission, asker.command);

  return { runId: run };
};

type WaitCommand = Extract<CommandBody, { kind: "take_wait_token" | "answer_wait" }>;

export const submitToWait = async (asker: Asker, runId: string, body: WaitCommand): Promise<{ seq: number }> => {
  const submission = toSubmission(asker, runId, body);

  return (await getRun(asker.workspaceId, runId)) ? submitCommand(submission, asker.command) : refuseAttempt(submission);
};

type Decision = Extract<CommandBody, { kind: "decision" }>;
type Optional = "reason" | "findings" | "assertion" | "answers" | "viewing";

type WrittenDecision = Pick<Decision, "decision" | "nonce"> & { readonly [K in Optional]?: Decision[K] | undefined } & {
  readonly approvalId: string;
  readonly transitionDigest: Decision["transition_digest"];
  readonly viewDigest: Decision["view_digest"];
};

export const toDecision = (written: WrittenDecision): Decision => {
  const { approvalId, transitionDigest, viewDigest, decision, nonce, reason, findings, assertion, answers, viewing } = written;

  return {
    kind: "decision",
    approval_id: approvalId,
    transition_digest: transitionDigest,
    view_digest: viewDigest,
    decision,
    nonce,
    ...(reason === undefined ? {} : { reason }),
    ...(findings === undefined ? {} : { findings }),
    ...(assertion === undefined ? {} : { assertion }),
    ...(answers === undefined ? {} : { answers }),
    ...(viewing === undefined ? {} : { viewing }),
  };
};

export const commentOnRun = async (asker: Asker, runId: string, body: Omit<Of<"comment">, "approval_id">): Promise<{ seq: number }> => {
  const submission = toSubmission(asker, runId, { kind: "comment", ...body });

  return (await getRun(asker.workspaceId, runId)) ? submitCommand(submission, asker.command) : refuseAttempt(submission);
};

export const submitToApproval = async (
  asker: Asker,
  body: Extract<CommandBody, { kind: "decision" | "comment" }> & { readonly approval_id: string },
): Promise<{ seq: number }> => {
  const approval = await getApproval(asker.workspaceId, body.approval_id);
  const submission = toSubmission(asker, approval?.runId ?? getWorkspaceLedgerId(asker.workspaceId), body);

  return approval ? submitCommand(submission, asker.command) : refuseAttempt(submission);
};
