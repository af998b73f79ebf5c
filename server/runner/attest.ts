/** A command to a workspace itself: to sign where one of its runs stands, for an export that leaves the installation. */
import type { Principal } from "@/lib/engine/principal";
import { headDigest, type AttestCommand } from "@/lib/engine/head-statement";
import type { PublicKeys } from "@/lib/engine/signature";
import { genuineRecord } from "@/lib/engine/stored-record";
import { answerRefused } from "@/server/runner/answers";
import type { RunnerDeps } from "@/server/runner/deps";
import type { OpenedCommand } from "@/server/runner/open-command";
import { attestGround, keepAttestation, type AttestGround } from "@/server/store/attestations";
import { answerCommand } from "@/server/store/commands";

/** Nobody signs a head that its last record is not, nor one from which something was cut off that was signed before. */
const isGenuine = async (ground: AttestGround, run: string, keys: PublicKeys): Promise<boolean> => {
  if (ground.broken || ground.last === null) return false;
  const signed = await genuineRecord(ground.last, keys);

  return signed !== null && signed.record.run === run && signed.digest === ground.head;
};

/** Signs where the run stands, once for each place, and answers with the number of its last record. */
export const carryOutAttest = async (deps: RunnerDeps, command: OpenedCommand, _by: Principal, { run }: AttestCommand): Promise<void> => {
  const { workspaceId } = command;
  const ground = await attestGround(workspaceId, run);
  if (!ground) return answerRefused(deps, command, "not_found");
  if (!(await isGenuine(ground, run, await deps.publicKeys()))) return answerRefused(deps, command, "run_frozen");
  const statement = { workspace: workspaceId, run, version: ground.version, head: ground.head, at: deps.clock.now() };
  if (!ground.attested) {
    await keepAttestation({ statement, kid: deps.signer.kid, signature: deps.signer.signDigest(headDigest(statement)) });
  }
  await answerCommand(workspaceId, command.id, "accepted", { seq: ground.version - 1, refusal: null }, deps.clock.now());
  deps.notify(command.runId);
};
