"use client";

import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { DigestChip } from "@/components/ui/digest-chip";
import { EmptyState } from "@/components/ui/empty-state";
import { Mark } from "@/components/ui/marks/mark";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/relative-time";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import type { LedgerKey } from "@/components/proof/types";

/** Grouped for reading aloud. */
const fingerprintOf = (publicKey: string): string => bytesToHex(sha256(utf8ToBytes(publicKey))).replaceAll(/.{8}(?=.)/gu, "$& ");

type KeyProps = {
  readonly entry: LedgerKey;
  readonly isRecognised: boolean;
  readonly onRecognise: () => void;
};

const Key = ({ entry: { kid, publicKey, knownSince, handover }, isRecognised, onRecognise }: KeyProps) => (
  <li className="flex flex-col gap-1.5 border-b p-3 last:border-b-0">
    <div className="flex flex-wrap items-center gap-2">
      <span className="font-mono text-sm">{kid}</span>
      {handover === null ? <Mark kind="clean">Active</Mark> : <Mark kind="hidden">Retired</Mark>}
      {isRecognised ? <Mark kind="reviewed">Confirmed here</Mark> : <Mark kind="waiting">Not confirmed</Mark>}
      <span className="flex-1" />
      {isRecognised ? null : (
        <Button size="sm" onClick={onRecognise}>
          Confirm fingerprint
        </Button>
      )}
    </div>
    <dl className="grid grid-cols-[7rem_1fr] gap-x-3 gap-y-1 text-sm">
      <dt className="text-muted">Fingerprint</dt>
      <dd className="font-mono text-xs leading-5 break-words">{fingerprintOf(publicKey)}</dd>
      <dt className="text-muted">Public key</dt>
      <dd>
        <DigestChip digest={publicKey} label="public key" />
      </dd>
      <dt className="text-muted">Known since</dt>
      <dd>
        <RelativeTime at={knownSince} />
      </dd>
      {handover === null ? null : (
        <>
          <dt className="text-muted">Handed over</dt>
          <dd>
            to <span className="font-mono text-xs">{handover.to}</span>, <RelativeTime at={handover.at} />, signed by both keys. Later
            signatures by this key are rejected.
          </dd>
        </>
      )}
    </dl>
  </li>
);

type Props = {
  readonly keys: readonly LedgerKey[];
  readonly recognised: PublicKeys | null;
  readonly onRecognise: (kid: string, publicKey: string) => Promise<void>;
};

export const KeysPanel = ({ keys, recognised, onRecognise }: Props) => {
  const isKnown = ({ kid, publicKey }: LedgerKey): boolean => recognised?.[kid] === publicKey;
  const isNewBesideKnown = recognised !== null && Object.keys(recognised).length > 0 && keys.some((key) => !isKnown(key));

  return (
    <Panel title="Keys">
      {keys.length === 0 ? (
        <EmptyState kind="nothing_yet" title="No signing keys yet" className="py-8">
          The runner publishes its key when it starts.
        </EmptyState>
      ) : (
        <>
          <div className="flex flex-col gap-2 p-3 text-sm text-muted">
            {isNewBesideKnown ? (
              <Callout kind="waiting" title="New signing key">
                Compare its fingerprint with the operator&apos;s (countersign keys) before you rely on anything it signed.
              </Callout>
            ) : null}
            <p>
              Compare each fingerprint once with one you received from the operator outside of this page. This browser remembers confirmed
              keys and flags any other.
            </p>
          </div>
          <ul className="border-t">
            {keys.map((entry) => (
              <Key
                key={entry.kid}
                entry={entry}
                isRecognised={isKnown(entry)}
                onRecognise={() => void onRecognise(entry.kid, entry.publicKey)}
              />
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
};
