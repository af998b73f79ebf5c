"use client";

import { ChevronDown, ChevronUp } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import { Button } from "@/components/ui/button";
import { useInboxFilter } from "./use-inbox-filter";
import { useQueue } from "./use-queue";

const useNeighbours = (approvalId: string) => {
  const inbox = useInboxFilter();
  const { rows, counts } = useQueue(inbox.filter);
  const index = rows.findIndex(({ id }) => id === approvalId);
  const hrefOf = (at: number) => {
    const row = index < 0 ? undefined : rows[at];

    return row ? (`/approvals/${row.id}${inbox.search}` as const) : null;
  };

  return {
    index,
    total: counts?.matching ?? null,
    previous: hrefOf(index - 1),
    next: hrefOf(index + 1),
    queue: `/approvals${inbox.search}` as const,
  };
};

export const QueueNeighbours = ({ approvalId }: { readonly approvalId: string }) => {
  const router = useRouter();
  const { index, total, previous, next, queue } = useNeighbours(approvalId);
  const shortcuts = useMemo(() => {
    const link = (key: string, label: string, href: `/approvals/${string}` | null, none: string) => ({
      keys: [key],
      label,
      group: "Queue",
      whyNot: () => (href === null ? none : null),
      run: () => {
        if (href !== null) router.push(href);
      },
    });

    return [
      link("[", "Previous approval", previous, "This is the first request in the queue"),
      link("]", "Next approval", next, "This is the last request in the queue"),
    ];
  }, [previous, next, router]);
  useShortcuts(shortcuts);

  return (
    <nav aria-label="Queue" className="flex items-center gap-1 text-xs text-muted">
      <Link href={queue} className="hover:text-ink hover:underline">
        Queue
      </Link>
      {index < 0 || total === null ? null : (
        <span className="tabular">
          {index + 1} of {Math.max(total, index + 1)}
        </span>
      )}
      <Button
        variant="ghost"
        size="icon"
        aria-label="Previous approval"
        title="Previous approval ["
        disabledReason={previous === null ? "This is the first request" : null}
        onClick={() => {
          if (previous !== null) router.push(previous);
        }}
      >
        <ChevronUp aria-hidden />
      </Button>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Next approval"
        title="Next approval ]"
        disabledReason={next === null ? "This is the last request" : null}
        onClick={() => {
          if (next !== null) router.push(next);
        }}
      >
        <ChevronDown aria-hidden />
      </Button>
    </nav>
  );
};
