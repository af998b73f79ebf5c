"use client";

import { useMemo } from "react";
import { useShortcuts } from "@/components/shell/shortcuts/use-shortcuts";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import { Textarea } from "@/components/ui/textarea";
import type { Choice, Decision } from "./use-decision";

const TEXT = {
  approve: { armed: "Approve is armed.", verb: "Commit approval", variant: "primary" },
  reject: { armed: "Reject is armed.", verb: "Commit rejection", variant: "danger" },
  abstain: { armed: "Abstain is armed.", verb: "Commit abstention", variant: "secondary" },
} as const satisfies Record<Choice, object>;

/** What a verdict does: it is counted, and the judge decides. */
const VERDICT_TEXT = {
  approve: "It counts towards the approvals that are needed; a judge still decides by its rules.",
  reject: "One rejection and the case does not pass.",
  abstain: "You have spoken, and neither approve nor reject.",
} as const satisfies Record<Choice, string>;

const consequence = ({ isCase, findings }: Decision, choice: Choice, authority: string): string => {
  if (isCase)
    return `${VERDICT_TEXT[choice]}${findings.length === 0 ? "" : ` With ${findings.length} finding${findings.length === 1 ? "" : "s"}.`}`;

  return choice === "approve" ? authority : "The run takes its rejection path; nothing is written.";
};

/** Stable, so that it is called when the button appears and not whenever it is rendered. */
const focusOnce = (button: HTMLButtonElement | null): void => button?.focus();

type Props = { readonly decision: Decision; readonly choice: Choice; readonly authority: string };

/** The second step: says what is armed and takes Enter. */
export const ConfirmBar = ({ decision, choice, authority }: Props) => {
  const { disarm } = decision;
  const shortcuts = useMemo(() => [{ keys: ["Escape"], label: "Disarm the decision", group: "Decision", run: disarm }], [disarm]);
  useShortcuts(shortcuts);
  const { armed, verb, variant } = TEXT[choice];

  return (
    <div className="flex flex-wrap items-end gap-3">
      <p className="min-w-0 flex-1 text-sm">
        <span className="font-medium">{armed}</span> {consequence(decision, choice, authority)}
        <span className="mt-1 flex items-center gap-1 text-xs text-muted">
          <Kbd>Enter</Kbd> commits, <Kbd>Esc</Kbd> disarms
        </span>
      </p>
      <Field label="Reason (optional)" className="w-72">
        <Textarea rows={1} value={decision.reason} maxLength={2_000} onChange={(event) => decision.setReason(event.currentTarget.value)} />
      </Field>
      <Button onClick={decision.disarm} disabled={decision.isPending}>
        Not yet
      </Button>
      <Button
        // Mounted by arming: the focus goes where Enter then commits.
        ref={focusOnce}
        variant={variant}
        pending={decision.isPending ? "committing…" : null}
        // A key held down, or the second half of a double click, arms and never commits.
        onKeyDown={(event) => {
          if (event.repeat) event.preventDefault();
        }}
        onClick={(event) => {
          if (event.detail <= 1) decision.commit();
        }}
      >
        {verb}
      </Button>
    </div>
  );
};
