/**
 * The key that the runner signs with, while it may be replaced: `countersign keys rotate-signing` makes the next one and
 * has the present one hand over, and every runner goes on with the next one by itself, in the middle of whatever it does.
 */
import { anchorOf, currentKeyOf, extendedBy, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { log } from "@/server/log";
import type { Clock } from "@/server/clock";
import { raiseAlarm } from "@/server/runner/alarms";
import { loadSigner, nextSigner, takeNextSigner, type Signer } from "@/server/security/keyring";
import { loadAnchor, writeAnchor } from "@/server/security/anchor-file";
import { hintAbout, listKeyHints, type Hint } from "@/server/store/trust/key-hints";

const LOOK_MS = 1_000;

/** The key was replaced, and the next one is not on this machine: nothing is signed that would count for nothing. */
export class KeyRetired extends Error {
  constructor(kid: string) {
    super(`the signing key ${kid} was replaced, and the next one is not in this installation's folder: copy it there`);
    this.name = "KeyRetired";
  }
}

/** No hand-over leads to the key: whatever it signed, nobody would believe it. */
class KeyNotAnchored extends Error {
  constructor(kid: string) {
    super(`the signing key ${kid} is not in keys/trust-anchor.json, and no hand-over leads to it: copy both files from one machine`);
    this.name = "KeyNotAnchored";
  }
}

export type LiveSigner = {
  /** Always the key of this moment; a record's key and signature are asked for in one go, and so are of one key. */
  readonly signer: Signer;
  /** Goes on with the next key when there is one. @throws KeyRetired */
  readonly renew: () => Promise<void>;
  /** Keys that the database names and the trust anchor does not, when this runner started. */
  readonly unconfirmed: readonly string[];
};

/** The anchor of this home, in which this key is: made with the first key, and extended by hints that its own keys signed. */
const anchorWith = async (home: string, { kid, publicKey }: Signer, clock: Clock): Promise<TrustAnchor> => {
  const anchor = await loadAnchor(home);
  if (anchor?.keys.some((key) => key.kid === kid && key.public_key === publicKey)) return anchor;
  const handovers = (await listKeyHints()).flatMap(({ handover }) => handover ?? []);
  const made = anchor ? await extendedBy(anchor, handovers) : anchorOf({ kid, public_key: publicKey, since: clock.now() });
  if (currentKeyOf(made).kid !== kid) throw new KeyNotAnchored(kid);
  await writeAnchor(home, made);

  return made;
};

/** What the key said when it handed over, by the anchor of this machine or by a hint from another one. */
const handoverOf = async (home: string, key: Signer): Promise<Hint> => {
  const believed = (await loadAnchor(home))?.handovers.find(({ statement }) => statement.from === key.kid);

  return believed ? { stored: believed, believed } : hintAbout(key);
};

/** Says of each hint once that it is not believed. */
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

/** @throws when the key's file is missing or readable by others, or when the trust anchor does not lead to it */
export const liveSigner = async (home: string, clock: Clock): Promise<LiveSigner> => {
  let current = loadSigner(home);
  const reportForged = hintWatch(clock);
  const go = async (next: Signer): Promise<TrustAnchor> => {
    // Anchored before it signs: whoever reads a record of it must be able to check it.
    const anchor = await anchorWith(home, next, clock);
    if (next.kid !== current.kid) log().info({ from: current.kid, to: next.kid }, "the signing key was replaced");
    current = next;

    return anchor;
  };
  const renew = async (): Promise<void> => {
    const hint = await handoverOf(home, current);
    await reportForged(hint);
    const handover = hint.believed?.statement;
    const next = handover && nextSigner(home);
    // Whoever was to put it in its place was stopped in between.
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
