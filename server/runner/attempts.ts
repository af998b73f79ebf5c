import type { z } from "zod";
import { policyCommandSchema } from "@/lib/approval-policy/command";
import { publishCommandSchema } from "@/lib/architect/publish-command";
import { recordDigest } from "@/lib/engine/ledger/chain";
import { checkpointCommandSchema } from "@/lib/engine/ledger/checkpoint";
import { attestCommandSchema } from "@/lib/engine/ledger/head-statement";
import { passkeyCommandSchema } from "@/lib/engine/ledger/passkey-ledger";
import type { Principal } from "@/lib/engine/principal";
import { commandBodySchema, type CommandBody } from "@/lib/engine/proposal";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { shredCommandSchema } from "@/lib/engine/ledger/shred";
import { buildAttemptRecord, getWorkspaceLedgerId, type Attempt } from "@/lib/engine/ledger/workspace-ledger";
import { environmentCommandSchema } from "@/lib/environments/command";
import { promotionCommandSchema } from "@/lib/environments/promotion";
import { modelsCommandSchema } from "@/lib/model-change";
import { tokenCommandSchema } from "@/lib/outside/token-command";
import { approverCommandSchema } from "@/lib/people/approver-command";
import { directoryCommandSchema } from "@/lib/people/directory-command";
import { peopleCommandSchema } from "@/lib/people/command";
import { foundCommandSchema, joinCommandSchema, passwordCommandSchema } from "@/lib/people/membership";
import { refuse, type Refusal } from "@/lib/refusal";
import { factCommandSchema } from "@/lib/facts/command";
import { stopCommandSchema } from "@/lib/stop/command";
import { accountCommandSchema } from "@/lib/notifications/account";
import { browserCommandSchema } from "@/lib/notifications/browser";
import { alarmCommandSchema } from "@/lib/trust-alarm";
import { outputsCommandSchema } from "@/lib/webhooks/outputs";
import { systemClock } from "@/server/clock";
import { carryOutAccount } from "@/server/runner/accounts";
import { carryOutAlarm } from "@/server/runner/alarm-command";
import { carryOutPolicy } from "@/server/runner/approval-policy";
import { carryOutBrowser } from "@/server/runner/browsers";
import { carryOutApprovers } from "@/server/runner/approvers";
import { answerRefused } from "@/server/runner/answers";
import { carryOutAttest } from "@/server/runner/attest";
import { carryOutCheckpoint } from "@/server/runner/checkpoint-command";
import { carryOutDirectory } from "@/server/runner/directory";
import type { RunnerDeps } from "@/server/runner/deps";
import { carryOutEnvironments } from "@/server/runner/environments";
import { getCode, identifyAttempt, isPrincipal } from "@/server/runner/identify";
import { carryOutPassword } from "@/server/runner/account-ledgers";
import { carryOutFound, carryOutJoin } from "@/server/runner/membership";
import { carryOutModels } from "@/server/runner/models";
import { readBody, openCommand, type OpenedCommand } from "@/server/runner/open-command";
import { carryOutPasskey } from "@/server/runner/passkeys";
import { carryOutPeople } from "@/server/runner/people";
import { carryOutPromotion } from "@/server/runner/promotion";
import { carryOutPublishing } from "@/server/runner/publishing";
import { carryOutShred } from "@/server/runner/shred";
import { carryOutFact } from "@/server/runner/retract-fact";
import { carryOutStop } from "@/server/runner/stop-command";
import { carryOutToken } from "@/server/runner/tokens";
import { carryOutOutputs } from "@/server/runner/webhook-outputs";
import { traceCommand } from "@/server/runner/telemetry";
import { createRateLimiter } from "@/server/security/rate-limit";
import { appendAttempt, type LedgerEnd } from "@/server/store/runs/attempts";
import { listPendingCommands, type PendingCommand } from "@/server/store/runs/commands";

type CarryOut<T> = (deps: RunnerDeps, command: OpenedCommand, by: Principal, body: T) => Promise<void>;

const whenOf =
  <T>(schema: z.ZodType<T>, carryOut: CarryOut<T>) =>
  (deps: RunnerDeps, command: OpenedCommand, by: Principal): Promise<void> | null => {
    const body = readBody(command, schema);

    return body === null ? null : carryOut(deps, command, by, body);
  };

const OWN_COMMANDS = [
  whenOf(shredCommandSchema, carryOutShred),
  whenOf(attestCommandSchema, carryOutAttest),
  whenOf(checkpointCommandSchema, carryOutCheckpoint),
  whenOf(passkeyCommandSchema, carryOutPasskey),
  whenOf(modelsCommandSchema, carryOutModels),
  whenOf(peopleCommandSchema, carryOutPeople),
  whenOf(approverCommandSchema, carryOutApprovers),
  whenOf(directoryCommandSchema, carryOutDirectory),
  whenOf(passwordCommandSchema, carryOutPassword),
  whenOf(publishCommandSchema, carryOutPublishing),
  whenOf(tokenCommandSchema, carryOutToken),
  whenOf(alarmCommandSchema, carryOutAlarm),
  whenOf(policyCommandSchema, carryOutPolicy),
  whenOf(stopCommandSchema, carryOutStop),
  whenOf(environmentCommandSchema, carryOutEnvironments),
  whenOf(promotionCommandSchema, carryOutPromotion),
  whenOf(accountCommandSchema, carryOutAccount),
  whenOf(browserCommandSchema, carryOutBrowser),
  whenOf(factCommandSchema, carryOutFact),
  whenOf(outputsCommandSchema, carryOutOutputs),
] as const;

type Refused = { readonly body: CommandBody; readonly principal: Principal; readonly refusal: Refusal };

const signAttempt = (deps: RunnerDeps, { workspaceId: workspace, id }: OpenedCommand, { refusal, ...asked }: Refused) => {
  const attempt = { id, workspace, at: deps.clock.now(), fresh: [deps.clock.id(), deps.clock.id()], ...asked } satisfies Attempt;

  return (end: LedgerEnd | null): SignedRecord => {
    const record = buildAttemptRecord(attempt, refusal, end);
    const digest = recordDigest(record);

    return { record, digest, kid: deps.signer.kid, signature: deps.signer.signDigest(digest) };
  };
};

const recordFutile = (deps: RunnerDeps, command: OpenedCommand, principal: Principal): Promise<void> => {
  const { workspaceId: workspace, id } = command;
  const body = readBody(command, commandBodySchema);
  if (!body) return answerRefused(deps, command, "malformed");

  return appendAttempt(workspace, id, signAttempt(deps, command, { body, principal, refusal: refuse("not_found") }));
};

/** Recorded refusals per author; further ones are answered alike. */
const outsideRuns = createRateLimiter({ limit: 20, windowMs: 60_000 }, systemClock);

export const recordOutsideRun = async (deps: RunnerDeps, command: OpenedCommand, refused: Refused): Promise<void> => {
  const { workspaceId, id, runId, author } = command;
  const who = "userId" in author ? author.userId : author.tokenId;
  if (!outsideRuns.take(`${workspaceId} ${who}`)) return answerRefused(deps, command, refused.refusal.code);
  const sign = signAttempt(deps, command, { ...refused, refusal: refuse(refused.refusal.code, [runId]) });

  return appendAttempt(workspaceId, id, sign, { seq: -1, refusal: refused.refusal });
};

const carryOutOrRecord = async (deps: RunnerDeps, command: OpenedCommand): Promise<void> => {
  const isOwn = command.runId === getWorkspaceLedgerId(command.workspaceId);
  // Sent by accounts that exist only afterwards.
  const found = isOwn && readBody(command, foundCommandSchema);
  if (found) return carryOutFound(deps, command, found);
  const join = isOwn && readBody(command, joinCommandSchema);
  if (join) return carryOutJoin(deps, command, join);
  const principal = await identifyAttempt(deps, command);
  if (!isPrincipal(principal)) return answerRefused(deps, command, principal ?? "not_found");
  if (isOwn) {
    for (const carryOut of OWN_COMMANDS) {
      const done = carryOut(deps, command, principal);
      if (!done) continue;
      await done;
      // Even the next process detects a removed step.
      await deps.authority.read(command.workspaceId).catch(getCode);

      return;
    }
  }

  return recordFutile(deps, command, principal);
};

export const recordAttempt = (deps: RunnerDeps, command: OpenedCommand): Promise<void> =>
  traceCommand(command, () => carryOutOrRecord(deps, command));

export const openCommands = async (deps: RunnerDeps, commands: readonly PendingCommand[]): Promise<OpenedCommand[]> => {
  const opened: OpenedCommand[] = [];
  for (const command of commands) {
    const found = openCommand(deps, command);
    if (typeof found === "string") await answerRefused(deps, command, found);
    else opened.push(found);
  }

  return opened;
};

export const recordAttempts = async (deps: RunnerDeps, workspaceId: string, runId: string): Promise<void> => {
  for (const command of await openCommands(deps, await listPendingCommands(workspaceId, runId))) await recordAttempt(deps, command);
};
