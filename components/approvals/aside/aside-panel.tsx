"use client";

import { useMemo, useState } from "react";
import { toVisibleText } from "@/components/values/visible-text";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ApprovalDetails } from "@/components/approvals/types";
import { SnoozeDialog } from "./snooze-dialog";
import { useAside } from "./use-aside";

type Props = { readonly details: ApprovalDetails };

export const SnoozeButton = ({ details: { approval, aside } }: Props) => {
  const [isOpen, setIsOpen] = useState(false);
  const { bringBack, isBringing } = useAside();
  const label = aside ? "Show again" : "Snooze";
  const shortcuts = useMemo(
    () => [
      {
        keys: ["s"],
        label,
        group: "Decision",
        run: () => (aside ? bringBack([approval.id]) : setIsOpen(true)),
      },
    ],
    [label, aside, bringBack, approval.id],
  );
  useShortcuts(shortcuts);

  return (
    <>
      <Button size="sm" pending={isBringing ? "Showing…" : null} onClick={() => (aside ? bringBack([approval.id]) : setIsOpen(true))}>
        {label} <Kbd>s</Kbd>
      </Button>
      <SnoozeDialog ids={[approval.id]} open={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
};

export const AsideNotes = ({ details: { approval, aside, notMine, people, gate } }: Props) => {
  const { escalations } = gate;
  if (approval.status !== "open" || (aside === null && notMine.length === 0 && escalations.length === 0)) return null;

  return (
    <ul aria-label="Waiting" className="flex flex-col gap-1 px-3 text-sm text-muted">
      {escalations.map(({ to, at, isDone, isGroup, isEmpty }) => (
        <li key={`${to} ${at}`} className={isDone ? "font-medium text-waiting" : undefined}>
          {isDone ? "Escalated" : "Escalates"} to {to} <RelativeTime at={at} />
          {isEmpty ? `. ${to} has no members who can decide. An admin can add some under People.` : ""}
          {isGroup && !isEmpty && !isDone ? ". Its members can decide from then on." : ""}
        </li>
      ))}
      {aside === null ? null : (
        <li>
          Hidden from your inbox; returns <RelativeTime at={aside.until} />.
        </li>
      )}
      {notMine.map(({ user, reason, at }) => (
        <li key={user}>
          <span className="font-medium text-ink">{toVisibleText(people[user] ?? "A person")}</span> says this is not theirs
          {reason === null ? "" : `: ${toVisibleText(reason)}`} <RelativeTime at={at} className="text-xs" />
        </li>
      ))}
    </ul>
  );
};
