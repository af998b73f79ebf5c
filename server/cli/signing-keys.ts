import { computeHandoverDigest, type Handover, type SignedHandover } from "@/lib/engine/ledger/handover";
import { getCurrentKey, withHandover } from "@/lib/engine/ledger/trust-anchor";
import { systemClock } from "@/server/clock";
import { makeNextSigner, takeNextSigner, type Signer } from "@/server/security/keyring";
import { inTurn } from "@/server/store/ledger/cells-rotation";
import { writeAnchor } from "@/server/security/anchor-file";
import { hintAbout, hintHandover } from "@/server/store/trust/key-hints";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand, type CliHost } from "./host";
import { awaitAnswer, demandSigner, useInstalledDatabase } from "./installed";
import { loadHomeAnchor } from "./keys";
import { formatJsonLine } from "./problem";

/** Several key look-ups of every runner, and commits under way. */
const GRACE_MS = 30_000;

const signed = (old: Signer, next: Signer, at: number): SignedHandover => {
  const statement: Handover = { from: old.kid, to: next.kid, to_key: next.publicKey, at };
  const digest = computeHandoverDigest(statement);

  return { statement, signature: old.signDigest(digest), countersignature: next.signDigest(digest) };
};

/** Resumable after any step, here or by a runner: the key is stored before its announcement, anchored before it signs. */
const handOver = async (host: CliHost): Promise<Handover> => {
  const { home } = host;
  const old = demandSigner(home);
  const anchor = await loadHomeAnchor(home);
  const next = makeNextSigner(home);
  const standing = anchor.handovers.find(({ statement }) => statement.from === old.kid) ?? (await hintAbout(old)).believed;
  const now = systemClock.now();
  const handover = standing ?? signed(old, next, now + GRACE_MS);
  const { statement } = handover;
  if (statement.to !== next.kid) {
    throw new CliFailure(`key ${old.kid} already handed over to ${statement.to}, which is not the next key in this folder`);
  }
  if (getCurrentKey(anchor).kid === old.kid) {
    await writeAnchor(home, withHandover(anchor, handover, Math.max(getCurrentKey(anchor).since, Math.min(now, statement.at))));
  }
  await hintHandover(old, handover);
  takeNextSigner(home);

  return statement;
};

export const rotateSigning: CliCommand = async (argv, host) => {
  parseArguments(argv, null, {});
  useInstalledDatabase(host);
  const { from, to, at } = await awaitAnswer(inTurn(() => handOver(host)));
  await host.out(formatJsonLine({ retired: from, key: to, retired_at: at }));
  await host.err(
    "countersign: runners on this machine switch to the new key automatically. On other machines, copy keys/trust-anchor.json (web and runners) and then keys/signing.key (runners) within 30 seconds. To save the new public key, run: countersign keys\n",
  );

  return 0;
};
