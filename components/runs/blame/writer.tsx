"use client";

import type { MemoryRow } from "@/components/runs/memory-rows";
import type { NameNode } from "@/lib/engine/events/event-entry";
import { shortenPath } from "@/components/values/shorten-path";
import { Button } from "@/components/ui/button";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { describeActor, type People } from "./author";

type Props = {
  readonly row: MemoryRow;
  /** Written by the selected record. */
  readonly isNew: boolean;
  readonly record: LedgerRecord | null;
  readonly people: People;
  readonly nameOf: NameNode;
  readonly onOpen: () => void;
};

export const Writer = ({ row, isNew, record, people, nameOf, onOpen }: Props) => {
  const node = record?.node ?? null;
  const by = record ? [describeActor(record, people), ...(node === null ? [] : [`in ${nameOf(node)}`])].join(" ") : "unknown";
  // Speech control needs the visible text in the name (WCAG 2.5.3).
  const text = `${isNew ? "written here" : `written in record ${row.seq}`} by ${by}`;

  return (
    <Button
      size="sm"
      variant="ghost"
      className="ml-auto max-w-full"
      aria-label={`Who wrote ${shortenPath(row.path)}? Record ${row.seq}, ${text}`}
      onClick={onOpen}
    >
      <span className="tabular truncate text-xs text-muted">{text}</span>
    </Button>
  );
};
