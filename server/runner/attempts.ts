/** Commands about runs that are not there for whoever asks: each becomes a record of the workspace's own ledger. */
import { recordDigest } from "@/lib/engine/chain";
import { attemptRecord, workspaceLedgerId } from "@/lib/engine/workspace-ledger";
import { alarmCommandOf, carryOutAlarm } from "@/server/runner/alarms";
import { answerRefused, openCommandBody } from "@/server/runner/answers";
import { attestCommandOf, carryOutAttest } from "@/server/runner/attest";
import { carryOutCheckpoint, checkpointCommandOf } from "@/server/runner/checkpoint-command";
import type { RunnerDeps } from "@/server/runner/deps";
import { carryOutModels, modelsCommandOf } from "@/server/runner/models";
import { carryOutPasskey, passkeyCommandOf } from "@/server/runner/passkeys";
import { carryOutPeople, peopleCommandOf } from "@/server/runner/people";
import { carryOutShred, shredCommandOf } from "@/server/runner/shred";
import { appendAttempt } from "@/server/store/attempts";
import { attemptPrincipal, pendingCommands, type PendingCommand } from "@/server/store/commands";

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
  const alarm = isOwn ? alarmCommandOf(deps, command) : null;
  if (alarm) return carryOutAlarm(deps, command, alarm);
  const body = openCommandBody(deps, command);
  const principal = await attemptPrincipal(command);
  // What nobody of this workspace sealed is no attempt of theirs.
  if (!body || !principal) return answerRefused(deps, command, body ? "not_found" : "malformed");
  const attempt = {
    id,
    workspace,
    at: deps.clock.now(),
    principal,
    fresh: [deps.clock.id(), deps.clock.id()],
    body,
  } satisfies Parameters<typeof attemptRecord>[0];

  return appendAttempt(workspace, id, (end) => {
    const record = attemptRecord(attempt, end);
    const digest = recordDigest(record);

    return { record, digest, kid: deps.signer.kid, signature: deps.signer.signDigest(digest) };
  });
};

/** Answers everything that is asked of a run that does not exist, or not in this workspace, with a signed record each. */
export const recordAttempts = async (deps: RunnerDeps, workspaceId: string, runId: string): Promise<void> => {
  for (const command of await pendingCommands(workspaceId, runId)) await recordAttempt(deps, command);
};
