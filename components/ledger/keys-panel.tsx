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
import type { LedgerKey } from "./types";

/** All of it, in groups that two people can read to each other. */
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
      {handover === null ? <Mark kind="clean">Signs</Mark> : <Mark kind="hidden">Retired</Mark>}
      {isRecognised ? <Mark kind="reviewed">Recognised here</Mark> : <Mark kind="waiting">Not compared yet</Mark>}
      <span className="flex-1" />
      {isRecognised ? null : (
        <Button size="sm" onClick={onRecognise}>
          I have compared it
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
            to <span className="font-mono text-xs">{handover.to}</span>, <RelativeTime at={handover.at} />, signed by both keys; later
            signatures of this key are refused
          </dd>
        </>
      )}
    </dl>
  </li>
);

type Props = {
  readonly keys: readonly LedgerKey[];
  /** kid -> public key, as this browser has recognised them; null: not known yet. */
  readonly recognised: PublicKeys | null;
  readonly onRecognise: (kid: string, publicKey: string) => Promise<void>;
};

/** The keys that have signed here, to be compared with what the operator says of them. */
export const KeysPanel = ({ keys, recognised, onRecognise }: Props) => {
  const isKnown = ({ kid, publicKey }: LedgerKey): boolean => recognised?.[kid] === publicKey;
  const isNewBesideKnown = recognised !== null && Object.keys(recognised).length > 0 && keys.some((key) => !isKnown(key));

  return (
    <Panel title="Keys">
      {keys.length === 0 ? (
        <EmptyState kind="nothing_yet" title="No key has signed yet" className="py-8">
          The runner makes its key known when it starts.
        </EmptyState>
      ) : (
        <>
          <div className="flex flex-col gap-2 p-3 text-sm text-muted">
            {isNewBesideKnown ? (
              <Callout kind="waiting" title="There is a key that was not here before">
                Compare its fingerprint with what the operator says (countersign keys) before you rely on what it signed.
              </Callout>
            ) : null}
            <p>
              Who has a key&apos;s fingerprint from somewhere else than this page can tell whether the ledger was signed by the runner.
              Compare each once; this browser remembers it, and points out any other.
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
