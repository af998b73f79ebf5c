import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { explainChange, trustAnchorSchema, verifyAnchor, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { replaceFile } from "@/server/security/private-file";
import { settleFile } from "@/server/security/settled-file";

const MODE = 0o644;

export const getAnchorFile = (home: string): string => path.join(home, "keys", "trust-anchor.json");

const stampOf = (file: string): string | null => {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });

  return stat ? `${stat.mtimeNs} ${stat.ino} ${stat.size}` : null;
};

/** @throws when invalid */
const readAnchor = async (file: string): Promise<TrustAnchor> => {
  const anchor = trustAnchorSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  const fault = await verifyAnchor(anchor);
  if (fault) throw new Error(`the trust anchor does not verify: ${fault}`);

  return anchor;
};

/** Loads the anchor. @throws when invalid */
export const loadAnchor = async (home: string): Promise<TrustAnchor | null> => {
  const file = getAnchorFile(home);

  return stampOf(file) === null ? null : readAnchor(file);
};

/** Replaces the anchor. @throws when invalid */
export const writeAnchor = async (home: string, anchor: TrustAnchor): Promise<void> => {
  const fault = await verifyAnchor(anchor);
  if (fault) throw new Error(`the trust anchor would not verify: ${fault}`);
  replaceFile(getAnchorFile(home), `${JSON.stringify(anchor, null, 2)}\n`, MODE);
  settleFile(path.join(home, "keys"), "trust-anchor.json");
};

const readAfter = async (file: string, before: TrustAnchor | null): Promise<TrustAnchor> => {
  const anchor = await readAnchor(file);
  const change = before ? await explainChange(before, anchor) : "extended";
  if (change === "replaced" || change === "older") throw new Error(`the trust anchor was exchanged for another one: ${change}`);

  return anchor;
};

/** Rereads a replaced anchor, which must extend the old one. @param complain for rejected files */
export const watchAnchor = (file: string, complain: (error: Error) => void): (() => Promise<TrustAnchor | null>) => {
  let stamp: string | null = null;
  let taken: Promise<TrustAnchor | null> = Promise.resolve(null);

  return () => {
    const now = stampOf(file);
    if (now === stamp) return taken;
    stamp = now;
    if (now !== null) {
      taken = taken.then((before) =>
        readAfter(file, before).catch((error: unknown) => {
          complain(error instanceof Error ? error : new Error(String(error)));

          return before;
        }),
      );
    }

    return taken;
  };
};
