"use client";

import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Mark } from "@/components/ui/marks/mark";

/** What the three zones are, in the words of the screen. */
export const ZonesHelp = () => (
  <Dialog
    size="lg"
    title="Zones"
    description="A zone is where a value stands, not where a node stands: it is the label of its cell."
    trigger={<Button variant="ghost">Zones…</Button>}
  >
    <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-3 text-sm">
      <dt>
        <Mark kind="clean" />
      </dt>
      <dd>Nothing from outside could have influenced it. It may choose a way and fill in a privileged effect.</dd>
      <dt>
        <Mark kind="tainted" />
      </dt>
      <dd>
        Something from outside could have: an answer of a tool, a page, an outside agent&apos;s input, or a model that has read one of them.
        Where a graph isolates it, agents see only that it is there; an extract and the reviewers of a case open it, each time on record.
      </dd>
      <dt>
        <Mark kind="reviewed" />
      </dt>
      <dd>
        It was looked at and then decided about: by a judge&apos;s rules after a case was passed, or by a person&apos;s approval. That makes
        a new value; the one that was looked at stays tainted.
      </dd>
    </dl>
    <p className="mt-4 text-sm text-muted">
      This log is read out of the signed ledgers, in the same moment as each record, and{" "}
      <code className="font-mono text-xs whitespace-nowrap">countersign verify --checkpoint</code> compares the two. It names who and where,
      and never has a value in it.
    </p>
  </Dialog>
);
