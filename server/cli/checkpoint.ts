import { hashOfLeaf, type SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { goesOn, type CheckpointEntry, type CheckpointFile } from "@/lib/engine/ledger/checkpoint-file";
import { buildConsistencyProof } from "@/lib/engine/ledger/merkle";
import { systemClock } from "@/server/clock";
import { LogBroken, takeCheckpoint } from "@/server/runner/checkpoint";
import type { Journal } from "@/server/security/journal/journal";
import type { Signer } from "@/server/security/keyring";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { listAllWorkspaces, logLeaves } from "@/server/store/workspaces/log";
import { parseArguments } from "./arguments";
import { readKeptCheckpoints } from "./checkpoint-lines";
import { CliFailure, type CliCommand } from "./host";
import { awaitAnswer, deliver, demandSigner, openJournalOf, useInstalledDatabase } from "./installed";
import { loadHomeAnchor } from "./keys";
import { formatJsonLine } from "./problem";

const take = (signer: Signer, journal: Journal, workspace: string): Promise<SignedCheckpoint> =>
  takeCheckpoint({ clock: systemClock, signer, publicKeys: listPublicKeys, journal }, workspace).catch((error: unknown) => {
    if (error instanceof LogBroken) throw new CliFailure(error.message, error);
    throw error;
  });

const sinceOf = async (signed: SignedCheckpoint, older: SignedCheckpoint | undefined): Promise<CheckpointEntry["since"]> => {
  if (!older) return null;
  const { origin, count } = signed.checkpoint;
  const isLonger = older.checkpoint.count > 0 && older.checkpoint.count <= count;
  const leaves = isLonger ? (await logLeaves(origin, count)).map(hashOfLeaf) : [];
  const proof = isLonger ? buildConsistencyProof(leaves, older.checkpoint.count) : [];
  if (!goesOn(older, signed, proof)) {
    throw new CliFailure(
      `the log of workspace ${origin} does not extend the older checkpoint: run "countersign verify --checkpoint FILE" for details`,
    );
  }

  return { signed: older, proof };
};

export const runCheckpointCommand: CliCommand = async (argv, host) => {
  const { text } = parseArguments(argv, null, { out: "string", since: "string" });
  const sinceFile = text("since");
  const older = sinceFile === null ? null : await readKeptCheckpoints(sinceFile, null);
  useInstalledDatabase(host);
  const signer = demandSigner(host.home);
  await loadHomeAnchor(host.home);
  const checkpoints: CheckpointEntry[] = [];
  const workspaces = await awaitAnswer(listAllWorkspaces());
  const journal = await openJournalOf(host);
  for (const workspace of workspaces) {
    const signed = await take(signer, journal, workspace);
    const before = older?.checkpoints.find((entry) => entry.signed.checkpoint.origin === workspace);
    checkpoints.push({ signed, since: await sinceOf(signed, before?.signed) });
  }
  const file: CheckpointFile = {
    format: "countersign/checkpoint/v1",
    checkpoints,
    public_keys: { ...(await listPublicKeys()) },
  };
  await deliver(host, formatJsonLine(file), text("out"), ". Store it where no database user can change it");

  return 0;
};
