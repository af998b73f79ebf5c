"use client";

import { useMemo } from "react";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { count } from "@/lib/format";
import type { SeeingState } from "./use-seeing";

const valuesText = (left: number): string => `${count(left)} ${left === 1 ? "value" : "values"}`;

/** Explains why approving must wait; null: it need not. */
export const explainUnseen = ({ left, isAccepted }: Pick<SeeingState, "left" | "isAccepted">): string | null =>
  left === 0 || isAccepted ? null : `You haven't seen ${valuesText(left)} yet. See ${left === 1 ? "it" : "them"}, or approve without.`;

/** Leads through unseen values, or lets the reviewer waive them. */
export const UnseenBar = ({ seeing }: { readonly seeing: SeeingState }) => {
  const { left, isAccepted, accept, showNext } = seeing;
  const shortcuts = useMemo(
    () => (left === 0 ? [] : [{ keys: ["n"], label: "Show next unseen value", group: "Decision", run: showNext }]),
    [left, showNext],
  );
  useShortcuts(shortcuts);
  if (left === 0) return null;

  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      <output>Not seen yet: {valuesText(left)}.</output>
      <Button size="sm" onClick={showNext}>
        Show next <Kbd>n</Kbd>
      </Button>
      <label className="flex min-h-6 items-center gap-2">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={isAccepted}
          onChange={(event) => accept(event.currentTarget.checked)}
        />
        Approve without seeing {left === 1 ? "it" : "them"}, on record
      </label>
    </div>
  );
};
