"use client";

import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Mark } from "@/components/ui/marks/mark";

export const ZonesHelp = () => (
  <Dialog
    size="lg"
    title="Zones"
    description="A zone is the trust label of a value. Values have zones, nodes don't."
    trigger={<Button variant="ghost">Zones…</Button>}
  >
    <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-3 text-sm">
      <dt>
        <Mark kind="clean" />
      </dt>
      <dd>Not influenced by outside data. It can select a route and supply arguments to privileged tools.</dd>
      <dt>
        <Mark kind="tainted" />
      </dt>
      <dd>
        May be influenced by outside data: a tool result, a page, an outside agent&apos;s input, or a model that read any of them. Where a
        graph isolates it, agents see only that it exists. Extract nodes and case reviewers can open it, and every opening is recorded.
      </dd>
      <dt>
        <Mark kind="reviewed" />
      </dt>
      <dd>
        Reviewed and then approved, by a judge&apos;s rules after a passed case or by a person. The approval creates a new value. The
        original stays tainted.
      </dd>
    </dl>
    <p className="mt-4 text-sm text-muted">
      This log is derived from the signed ledgers as each record is committed.{" "}
      <code className="font-mono text-xs whitespace-nowrap">countersign verify --checkpoint</code> compares the two. It names actors and
      locations, and never contains values.
    </p>
  </Dialog>
);
