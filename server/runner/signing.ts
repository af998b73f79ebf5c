/**
 * The key that the runner signs with, while it may be replaced: `countersign keys rotate-signing` makes the next one and
 * has the present one hand over, and every runner goes on with the next one by itself, in the middle of whatever it does.
 */
import { log } from "@/server/log";
import type { Clock } from "@/server/clock";
import { loadSigner, nextSigner, takeNextSigner, type Signer } from "@/server/security/keyring";
import { handoverOf, registerPublicKey } from "@/server/store/signing-keys";

const LOOK_MS = 1_000;

/** The key was replaced, and the next one is not on this machine: nothing is signed that would count for nothing. */
export class KeyRetired extends Error {
  constructor(kid: string) {
    super(`the signing key ${kid} was replaced, and the next one is not in this installation's folder: copy it there`);
    this.name = "KeyRetired";
  }
}

export type LiveSigner = {
  /** Always the key of this moment; a record's key and signature are asked for in one go, and so are of one key. */
  readonly signer: Signer;
  /** Goes on with the next key when there is one. @throws KeyRetired */
  readonly renew: () => Promise<void>;
};

/** @throws when the key's file is missing or readable by others */
export const liveSigner = async (home: string, clock: Clock): Promise<LiveSigner> => {
  let current = loadSigner(home);
  const go = async (next: Signer): Promise<void> => {
    // Known before it signs: whoever reads a record of it must be able to check it.
    await registerPublicKey(next.kid, next.publicKey);
    if (next.kid !== current.kid) log().info({ from: current.kid, to: next.kid }, "the signing key was replaced");
    current = next;
  };
  const renew = async (): Promise<void> => {
    const handover = (await handoverOf(current))?.statement;
    const next = handover && nextSigner(home);
    // Whoever was to put it in its place was stopped in between.
    if (next && next.kid === handover.to) takeNextSigner(home);
    const stored = loadSigner(home);
    if (stored.kid !== current.kid) return go(stored);
    if (handover && clock.now() >= handover.at) throw new KeyRetired(current.kid);
  };
  await go(current);
  await renew();

  return {
    signer: {
      get kid() {
        return current.kid;
      },
      get publicKey() {
        return current.publicKey;
      },
      signDigest: (digest) => current.signDigest(digest),
      signReceipt: (payload) => current.signReceipt(payload),
    },
    renew,
  };
};

/** Looks every second whether the key was replaced. @param onRetired when this runner may not sign any more */
export const watchSigner = ({ renew }: LiveSigner, onRetired: (error: KeyRetired) => void): { readonly close: () => Promise<void> } => {
  let work: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    work = work.then(renew).catch((error: unknown) => {
      if (error instanceof KeyRetired) return onRetired(error);

      return log().warn({ error: String(error) }, "looking for another signing key failed");
    });
  }, LOOK_MS);

  return {
    close: async () => {
      clearInterval(timer);
      await work;
    },
  };
};
