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
      "no checkpoint at all"
    ) : (
      <>
        <span className="tabular">{count(signed.checkpoint.count)} records, root</span>
        <DigestChip digest={signed.checkpoint.root} label={`root (${label})`} />
        <RelativeTime at={signed.checkpoint.at} />
      </>
    )}
  </p>
);

/** What was remembered is evidence: it takes two steps to throw it away. */
export const Forget = ({ what, onForget }: { readonly what: string; readonly onForget: () => Promise<void> }) => {
  const [isOpen, setIsOpen] = useState(false);

  return (
    <Dialog
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={<Button size="sm">Forget…</Button>}
      title="Forget what this browser remembers?"
      description={`${what} Forgetting it cannot be undone, and the next visit begins with whatever the server says.`}
      footer={
        <>
          <Button onClick={() => setIsOpen(false)}>Keep it</Button>
          <Button
            variant="danger"
            onClick={() => {
              setIsOpen(false);
              void onForget();
            }}
          >
            Forget it
          </Button>
        </>
      }
    />
  );
};

const ALARMS = {
  shorter: "The ledger has fewer records than this browser has seen",
  rewritten: "The ledger is not the one that this browser has seen",
  unsigned: "The newest checkpoint is not signed by a key of this installation",
} as const;

const WHAT_TO_DO =
  "Rely on nothing here until it is explained. Keep this browser's memory, and tell whoever runs the installation: a backup that was put back does this, and so does somebody who changed the database. A checkpoint kept elsewhere says more: countersign verify --checkpoint FILE.";

type Props = { readonly memory: MemoryState; readonly onForget: () => Promise<void> };

/** What this browser remembers of the workspace's log, said loudly when the log does not go on from it. */
export const MemoryCallout = ({ memory, onForget }: Props) => {
  if (memory.state === "nothing") {
    return (
      <p className="text-sm text-muted">
        This browser remembers nothing of this ledger yet. Verify the workspace once, and each later visit demands that what is there goes
        on from what was verified.
      </p>
    );
  }
  const { remembered, newest } = memory;
  if (memory.state === "extends") {
    return (
      <Callout kind="clean" title="The log goes on from what this browser remembers">
        <Line label="Remembered:" signed={remembered} />
        <div className="mt-2">
          <Forget what="It is the proof that the log was not cut off or rewritten since." onForget={onForget} />
        </div>
      </Callout>
    );
  }

  return (
    <Callout kind="refused" title={ALARMS[memory.state]} alert>
      <Line label="Remembered:" signed={remembered} />
      <Line label="There now:" signed={newest} />
      <p className="mt-1">{WHAT_TO_DO}</p>
      {remembered === null ? null : (
        <div className="mt-2">
          <Forget what="It is what shows that something was taken away or changed." onForget={onForget} />
        </div>
      )}
    </Callout>
  );
};
