"use client";

import { Callout } from "@/components/ui/callout";
import type { TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import type { PinnedAnchor } from "./anchor-pin";
import { Forget } from "./memory-callout";

const ALARMS: Readonly<Partial<Record<PinnedAnchor["change"], { readonly title: string; readonly text: string }>>> = {
  replaced: {
    title: "The signing keys changed without a signed handover",
    text: "This page still verifies with the keys seen before. Compare the new keys with the operator's (countersign keys). If the installation was set up again on purpose, forget the old keys.",
  },
  older: {
    title: "The server is missing signing keys that this browser has seen",
    text: "This page verifies with the keys seen before. Ask the operator whether keys/trust-anchor.json on the web machine is out of date.",
  },
  invalid: {
    title: "The server's trust anchor is invalid",
    text: "Nothing can be verified with it. Ask the operator for keys/trust-anchor.json (countersign keys --anchor).",
  },
};

const Keys = ({ label, anchor }: { readonly label: string; readonly anchor: TrustAnchor | null }) => (
  <p>
    <span className="text-muted">{label} </span>
    <span className="font-mono text-xs">{anchor ? anchor.keys.map(({ kid }) => kid).join(", ") : "none"}</span>
  </p>
);

type Props = {
  readonly pinned: PinnedAnchor;
  /** Absent: can't be forgotten. */
  readonly onForget?: () => Promise<void>;
};

export const AnchorCallout = ({ pinned, onForget }: Props) => {
  const alarm = ALARMS[pinned.change];
  if (!alarm) return null;

  return (
    <Callout kind="refused" title={alarm.title} alert>
      {pinned.trusted === null ? null : <Keys label="Seen before:" anchor={pinned.trusted} />}
      <Keys label="Offered now:" anchor={pinned.offered} />
      <p className="mt-1">{alarm.text}</p>
      {pinned.change === "replaced" && onForget ? (
        <div className="mt-2">
          <Forget what="These keys are the evidence that the server's keys changed." onForget={onForget} />
        </div>
      ) : null}
    </Callout>
  );
};
