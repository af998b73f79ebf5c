"use client";

import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { DigestChip } from "@/components/ui/digest-chip";
import { RelativeTime } from "@/components/ui/relative-time";
import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { count } from "@/lib/format";
import { useState } from "react";
import type { MemoryState } from "./use-memory";

const Line = ({ label, signed }: { readonly label: string; readonly signed: SignedCheckpoint | null }) => (
  <p className="flex min-h-7 flex-wrap items-center gap-2">
    <span className="text-muted">{label}</span>
    {signed === null ? (
      "no checkpoint"
    ) : (
      <>
        <span className="tabular">{count(signed.checkpoint.count)} records, root</span>
        <DigestChip digest={signed.checkpoint.root} label={`root (${label})`} />
        <RelativeTime at={signed.checkpoint.at} />
      </>
    )}
  </p>
);

/** The stored data is evidence. */
export const Forget = ({ what, onForget }: { readonly what: string; readonly onForget: () => Promise<void> }) => {
  const [isOpen, setIsOpen] = useState(false);

  return (
    <Dialog
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={<Button size="sm">Forget…</Button>}
      title="Forget what this browser has seen?"
      description={`${what} This cannot be undone. On the next visit, this browser trusts whatever the server offers.`}
      footer={
        <>
          <Button onClick={() => setIsOpen(false)}>Cancel</Button>
          <Button
            variant="danger"
            onClick={() => {
              setIsOpen(false);
              void onForget();
            }}
          >
            Forget
          </Button>
        </>
      }
    />
  );
};

const ALARMS = {
  shorter: "The ledger has fewer records than this browser has seen",
  rewritten: "The ledger differs from the one this browser has seen",
  unsigned: "The latest checkpoint is not signed by a key of this installation",
} as const;

const WHAT_TO_DO =
  "Don't rely on this ledger until the cause is known. Keep this browser's data and contact the operator: a restored backup causes this, and so does tampering with the database. To find out more, compare with a checkpoint kept elsewhere: countersign verify --checkpoint FILE.";

type Props = { readonly memory: MemoryState; readonly onForget: () => Promise<void> };

/** Warns if the log does not extend the last verified checkpoint. */
export const MemoryCallout = ({ memory, onForget }: Props) => {
  if (memory.state === "nothing") {
    return (
      <p className="text-sm text-muted">
        This browser has not verified this ledger yet. Verify the workspace once. Each later visit then checks that the ledger extends what
        was verified.
      </p>
    );
  }
  const { remembered, newest } = memory;
  if (memory.state === "extends") {
    return (
      <Callout kind="clean" title="The log extends what this browser has seen">
        <Line label="Remembered:" signed={remembered} />
        <div className="mt-2">
          <Forget what="It is the evidence that the log was not truncated or rewritten since." onForget={onForget} />
        </div>
      </Callout>
    );
  }

  return (
    <Callout kind="refused" title={ALARMS[memory.state]} alert>
      <Line label="Remembered:" signed={remembered} />
      <Line label="Now:" signed={newest} />
      <p className="mt-1">{WHAT_TO_DO}</p>
      {remembered === null ? null : (
        <div className="mt-2">
          <Forget what="It is the evidence that records were removed or changed." onForget={onForget} />
        </div>
      )}
    </Callout>
  );
};
