import type { Principal } from "@/lib/engine/principal";
import { computeHeadDigest, type AttestCommand } from "@/lib/engine/ledger/head-statement";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { verifyRecord } from "@/lib/engine/ledger/stored-record";
import { log } from "@/server/log";
import { countRollback } from "@/server/metrics";
import type { Head } from "@/server/security/journal/entry";
import { answerRefused } from "@/server/runner/answers";
import type { RunnerDeps } from "@/server/runner/deps";
import type { OpenedCommand } from "@/server/runner/open-command";
import { attestGround, keepAttestation, type AttestGround } from "@/server/store/trust/attestations";
import { answerCommand } from "@/server/store/runs/commands";

/** Nothing signed or journaled may be cut off. */
const isGenuine = async (ground: AttestGround, run: string, keys: PublicKeys, known: Head | null): Promise<boolean> => {
  if (known && ground.knownDigest !== known.digest) {
    countRollback("head");
    log().error({ run, version: ground.version, known: known.version }, "a head is not signed: the database was rolled back");

    return false;
  }
  if (ground.broken || ground.last === null) return false;
  const signed = await verifyRecord(ground.last, keys);

  return signed !== null && signed.record.run === run && signed.digest === ground.head;
};

export const carryOutAttest = async (deps: RunnerDeps, command: OpenedCommand, _by: Principal, { run }: AttestCommand): Promise<void> => {
  const { workspaceId } = command;
  const known = await deps.journal.headOf(run);
  const ground = await attestGround(workspaceId, run, known?.version ?? null);
  if (!ground) return answerRefused(deps, command, "not_found");
  if (!(await isGenuine(ground, run, await deps.publicKeys(), known))) return answerRefused(deps, command, "run_frozen");
  const statement = { workspace: workspaceId, run, version: ground.version, head: ground.head, at: deps.clock.now() };
  if (!ground.attested) {
    await keepAttestation({ statement, kid: deps.signer.kid, signature: deps.signer.signDigest(computeHeadDigest(statement)) });
  }
  await answerCommand(workspaceId, command.id, "accepted", { seq: ground.version - 1, refusal: null }, deps.clock.now());
  deps.notify(command.runId);
};
