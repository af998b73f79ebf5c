/** `countersign keys rotate-signing`: the next signing key, and the present one's word that it goes on. */
import { handoverDigest, type Handover, type SignedHandover } from "@/lib/engine/handover";
import { systemClock } from "@/server/clock";
import { makeNextSigner, takeNextSigner, type Signer } from "@/server/security/keyring";
import { inTurn } from "@/server/store/cells-rotation";
import { handoverOf, keepHandover, registerPublicKey } from "@/server/store/signing-keys";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand, type CliHost } from "./host";
import { answered, signerOf, useInstalledDatabase } from "./installed";
import { jsonLine } from "./problem";

/** Long enough for every runner to look for another key many times over, and for what is under way to be committed. */
const GRACE_MS = 30_000;

const present = (host: CliHost): Signer => {
  const signer = signerOf(host.home);
  if (!signer) throw new CliFailure(`the signing key in ${host.home} cannot be read`);

  return signer;
};

const signed = (old: Signer, next: Signer, at: number): SignedHandover => {
  const statement: Handover = { from: old.kid, to: next.kid, to_key: next.publicKey, at };

  return { statement, signature: old.signDigest(handoverDigest(statement)) };
};

/**
 * Each step can be the last one that is done: whoever calls it again, or a runner that finds the statement, goes on from
 * there. The new key is kept before anybody is told of it, known before it signs, and named by the old one before it takes
 * its place.
 */
const handOver = async (host: CliHost): Promise<Handover> => {
  const old = present(host);
  const next = makeNextSigner(host.home);
  await registerPublicKey(old.kid, old.publicKey);
  await registerPublicKey(next.kid, next.publicKey);
  const standing = (await handoverOf(old)) ?? (await keepHandover(old, signed(old, next, systemClock.now() + GRACE_MS)));
  const { statement } = standing;
  if (statement.to !== next.kid) {
    throw new CliFailure(`the key ${old.kid} has handed over to ${statement.to} before, which is not the next key in this folder`);
  }
  takeNextSigner(host.home);

  return statement;
};

export const rotateSigning: CliCommand = async (argv, host) => {
  parseArguments(argv, null, {});
  useInstalledDatabase(host);
  const { from, to, at } = await answered(inTurn(() => handOver(host)));
  await host.out(jsonLine({ retired: from, key: to, retired_at: at }));
  await host.err(
    "countersign: runners go on with the new key by themselves; on other machines copy keys/signing.key within half a minute. Note the new public key: countersign keys\n",
  );

  return 0;
};
