/** Commands about runs that are not there for whoever asks, or that have ended: each becomes a record of the workspace's own ledger. */
import { recordDigest } from "@/lib/engine/chain";
import type { Principal } from "@/lib/engine/principal";
import type { CommandBody } from "@/lib/engine/proposal";
import type { SignedRecord } from "@/lib/engine/record";
import { attemptRecord, workspaceLedgerId, type Attempt } from "@/lib/engine/workspace-ledger";
import { refuse, type Refusal } from "@/lib/refusal";
import { systemClock } from "@/server/clock";
import { answerRefused, openCommandBody } from "@/server/runner/answers";
import { attestCommandOf, carryOutAttest } from "@/server/runner/attest";
import { carryOutCheckpoint, checkpointCommandOf } from "@/server/runner/checkpoint-command";
import type { RunnerDeps } from "@/server/runner/deps";
import { carryOutModels, modelsCommandOf } from "@/server/runner/models";
import { carryOutPasskey, passkeyCommandOf } from "@/server/runner/passkeys";
import { carryOutPeople, peopleCommandOf } from "@/server/runner/people";
import { carryOutShred, shredCommandOf } from "@/server/runner/shred";
import { createRateLimiter } from "@/server/security/rate-limit";
import { appendAttempt, type LedgerEnd } from "@/server/store/attempts";
import { attemptPrincipal, pendingCommands, type PendingCommand } from "@/server/store/commands";

type Refused = { readonly body: CommandBody; readonly principal: Principal; readonly refusal: Refusal };

/** The record of one attempt, as the next one of the workspace's own ledger. */
const signAttempt = (deps: RunnerDeps, { workspaceId: workspace, id }: PendingCommand, { refusal, ...asked }: Refused) => {
  const attempt = { id, workspace, at: deps.clock.now(), fresh: [deps.clock.id(), deps.clock.id()], ...asked } satisfies Attempt;

  return (end: LedgerEnd | null): SignedRecord => {
    const record = attemptRecord(attempt, refusal, end);
    const digest = recordDigest(record);

    return { record, digest, kid: deps.signer.kid, signature: deps.signer.signDigest(digest) };
  };
};

/** One attempt, as a record. */
export const recordAttempt = async (deps: RunnerDeps, command: PendingCommand): Promise<void> => {
  const { workspaceId: workspace, id } = command;
  const isOwn = command.runId === workspaceLedgerId(workspace);
  const shred = isOwn ? shredCommandOf(deps, command) : null;
  if (shred) return carryOutShred(deps, command, shred);
  const attest = isOwn ? attestCommandOf(deps, command) : null;
  if (attest) return carryOutAttest(deps, command, attest);
  if (isOwn && checkpointCommandOf(deps, command)) return carryOutCheckpoint(deps, command);
  const passkey = isOwn ? passkeyCommandOf(deps, command) : null;
  if (passkey) return carryOutPasskey(deps, command, passkey);
  const models = isOwn ? modelsCommandOf(deps, command) : null;
  if (models) return carryOutModels(deps, command, models);
  const people = isOwn ? peopleCommandOf(deps, command) : null;
  if (people) return carryOutPeople(deps, command, people);
  const body = openCommandBody(deps, command);
  const principal = await attemptPrincipal(command);
  // What nobody of this workspace sealed is no attempt of theirs.
  if (!body || !principal) return answerRefused(deps, command, body ? "not_found" : "malformed");

  return appendAttempt(workspace, id, signAttempt(deps, command, { body, principal, refusal: refuse("not_found") }));
};

/** What one author has recorded of refusals after the end of runs; beyond it, commands are answered alike and leave no record. */
const afterEnd = createRateLimiter({ limit: 20, windowMs: 60_000 }, systemClock);

/**
 * Records that a command was refused because of what its run had become, in the workspace's own ledger: the run's is over. The
 * record names the run; the answer is the run's refusal, about no record of the run.
 */
export const recordAfterEnd = async (deps: RunnerDeps, command: PendingCommand, refused: Refused): Promise<void> => {
  const { workspaceId, id, runId, author } = command;
  const who = "userId" in author ? author.userId : author.tokenId;
  if (!afterEnd.take(`${workspaceId} ${who}`)) return answerRefused(deps, command, refused.refusal.code);
  const sign = signAttempt(deps, command, { ...refused, refusal: refuse(refused.refusal.code, [runId]) });

  return appendAttempt(workspaceId, id, sign, { seq: -1, refusal: refused.refusal });
};

/** Answers everything that is asked of a run that does not exist, or not in this workspace, with a signed record each. */
export const recordAttempts = async (deps: RunnerDeps, workspaceId: string, runId: string): Promise<void> => {
  for (const command of await pendingCommands(workspaceId, runId)) await recordAttempt(deps, command);
};
