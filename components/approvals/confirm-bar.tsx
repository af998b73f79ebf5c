"use client";

import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, type KeyboardEvent } from "react";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import { ChooseReason } from "@/components/comments/choose-reason";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import { Textarea } from "@/components/ui/textarea";
import { actOf, BY_KEY, type Act } from "@/components/arming/arming";
import { describeArmed, CHOICE_TEXT } from "./undo/choice-text";
import type { Choice } from "./undo/waiting-decision";

/** Stable: called on mount only. */
const focusOnce = (control: HTMLElement | null): void => control?.focus();

const REASON_LABEL = {
  approve: "Reason (optional)",
  reject: "Reason",
  abstain: "Reason (optional)",
  request_changes: "What needs to change",
} as const satisfies Record<Choice, string>;

type Props = {
  readonly choice: Choice;
  readonly isQuestion: boolean;
  readonly consequence: string;
  readonly reason: string;
  readonly onReason: (reason: string) => void;
  readonly needsReason: boolean;
  readonly isReasonMissing: boolean;
  readonly onDisarm: () => void;
  readonly onCommit: (act: Act) => boolean;
};

export const ConfirmBar = ({
  choice,
  isQuestion,
  consequence,
  reason,
  onReason,
  needsReason,
  isReasonMissing,
  onDisarm,
  onCommit,
}: Props) => {
  const field = useRef<HTMLTextAreaElement>(null);
  // Stable: focuses once, on mount.
  const fieldRef = useCallback(
    (element: HTMLTextAreaElement | null) => {
      field.current = element;
      if (needsReason) element?.focus();
    },
    [needsReason],
  );
  const shortcuts = useMemo(
    () => [{ keys: ["Escape"], label: "Cancel the decision", group: "Decision", inFields: true as const, run: onDisarm }],
    [onDisarm],
  );
  useShortcuts(shortcuts);
  const commit = (act: Act) => {
    if (!onCommit(act)) field.current?.focus();
  };
  const commitByKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    commit({ ...BY_KEY, isRepeat: event.repeat });
  };
  const { data: offered } = useQuery(useTRPC().reasons.get.queryOptions());
  const { armed, verb } = describeArmed(choice, isQuestion);
  const { variant } = CHOICE_TEXT[choice];

  return (
    <div className="flex flex-wrap items-end gap-3">
      <p className="min-w-60 flex-1 text-sm max-sm:basis-full">
        <span className="font-medium">{armed}</span> {consequence}
        <span className="mt-1 flex items-center gap-1 text-xs text-muted">
          You have 5 s to undo.
          <span className="flex items-center gap-1 max-sm:hidden">
            <Kbd>Enter</Kbd> confirms, <Kbd>Esc</Kbd> cancels.
          </span>
        </span>
      </p>
      <div className="flex w-72 max-w-full flex-col gap-1 max-sm:w-full">
        <Field
          label={needsReason ? REASON_LABEL[choice] : "Reason (optional)"}
          error={isReasonMissing ? "Required. Your reason goes to the proposer and into the ledger." : null}
        >
          <Textarea
            ref={fieldRef}
            rows={needsReason ? 2 : 1}
            value={reason}
            maxLength={2_000}
            required={needsReason}
            onKeyDown={commitByKey}
            onChange={(event) => onReason(event.currentTarget.value)}
          />
        </Field>
        {needsReason ? <ChooseReason reasons={offered?.reasons ?? []} text={reason} onChoose={onReason} /> : null}
      </div>
      <Button size="decision" onClick={onDisarm}>
        Cancel
      </Button>
      <Button
        // Enter confirms here.
        ref={needsReason ? null : focusOnce}
        variant={variant}
        size="decision"
        // A held key or a double click never commits.
        onKeyDown={(event) => {
          if (event.repeat) event.preventDefault();
        }}
        onClick={(event) => {
          if (event.detail <= 1) commit(actOf(event));
        }}
      >
        {verb}
      </Button>
    </div>
  );
};
