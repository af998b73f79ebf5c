/** Replaceable signing key: every runner switches to a handed-over key. */
import { createAnchor, getCurrentKey, extendAnchor, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { log } from "@/server/log";
import type { Clock } from "@/server/clock";
import { raiseAlarm } from "@/server/runner/alarms";
import { loadSigner, loadNextSigner, takeNextSigner, type Signer } from "@/server/security/keyring";
import { loadAnchor, writeAnchor } from "@/server/security/anchor-file";
import { hintAbout, listKeyHints, type Hint } from "@/server/store/trust/key-hints";

const LOOK_MS = 1_000;

/** The key was replaced and the next is not on this machine. */
export class KeyRetired extends Error {
  constructor(kid: string) {
    super(`the signing key ${kid} was replaced, and the next one is not in this installation's folder: copy it there`);
    this.name = "KeyRetired";
  }
}

/** No handover leads to the key, so its signatures would be distrusted. */
class KeyNotAnchored extends Error {
  constructor(kid: string) {
    super(`the signing key ${kid} is not in keys/trust-anchor.json, and no hand-over leads to it: copy both files from one machine`);
    this.name = "KeyNotAnchored";
  }
}

export type LiveSigner = {
  /** A record's key and signature are requested together and so match. */
  readonly signer: Signer;
  /** Switches to the next key, if any. @throws KeyRetired */
  readonly renew: () => Promise<void>;
  /** Keys in the database but not in the trust anchor, at start. */
  readonly unconfirmed: readonly string[];
};

const anchorWith = async (home: string, { kid, publicKey }: Signer, clock: Clock): Promise<TrustAnchor> => {
  const anchor = await loadAnchor(home);
  if (anchor?.keys.some((key) => key.kid === kid && key.public_key === publicKey)) return anchor;
  const handovers = (await listKeyHints()).flatMap(({ handover }) => handover ?? []);
  const made = anchor ? await extendAnchor(anchor, handovers) : createAnchor({ kid, public_key: publicKey, since: clock.now() });
  if (getCurrentKey(made).kid !== kid) throw new KeyNotAnchored(kid);
  await writeAnchor(home, made);

  return made;
};

/** From this machine's anchor or another's hint. */
const handoverOf = async (home: string, key: Signer): Promise<Hint> => {
  const believed = (await loadAnchor(home))?.handovers.find(({ statement }) => statement.from === key.kid);

  return believed ? { stored: believed, believed } : hintAbout(key);
};

const hintWatch = (clock: Clock): ((hint: Hint) => Promise<void>) => {
  let seen = "";

  return async ({ stored, believed }) => {
    const text = stored && !believed ? JSON.stringify(stored) : "";
    if (text === seen) return;
    seen = text;
    if (!stored || believed) return;
    const { from, to } = stored.statement;
    await raiseAlarm({ clock }, { kind: "forged_handover", workspaceId: null, runId: null, detail: `${from} to ${to}` });
  };
};

/** Creates the signer. @throws when the key's file is missing or readable by others, or the anchor does not lead to it */
export const createLiveSigner = async (home: string, clock: Clock): Promise<LiveSigner> => {
  let current = loadSigner(home);
  const reportForged = hintWatch(clock);
  const go = async (next: Signer): Promise<TrustAnchor> => {
    // Anchored before it signs, so that readers can verify its records.
    const anchor = await anchorWith(home, next, clock);
    if (next.kid !== current.kid) log().info({ from: current.kid, to: next.kid }, "the signing key was replaced");
    current = next;

    return anchor;
  };
  const renew = async (): Promise<void> => {
    const hint = await handoverOf(home, current);
    await reportForged(hint);
    const handover = hint.believed?.statement;
    const next = handover && loadNextSigner(home);
    // The rotation was interrupted before replacing the file.
    if (next && next.kid === handover.to) takeNextSigner(home);
    const stored = loadSigner(home);
    if (stored.kid !== current.kid) return void (await go(stored));
    if (handover && clock.now() >= handover.at) throw new KeyRetired(current.kid);
  };
  const anchored = new Set((await go(current)).keys.map(({ kid }) => kid));
  await renew();
  const unconfirmed = (await listKeyHints()).map(({ kid }) => kid).filter((kid) => !anchored.has(kid));

  return {
    unconfirmed,
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

/** Checks for a replacement every second. @param onRetired called when this runner may no longer sign */
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
