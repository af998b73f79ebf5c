"use client";

import { Scale, ShieldAlert, ShieldCheck } from "lucide-react";
import Link from "next/link";
import { toVisibleText } from "@/components/values/visible-text";
import { Badge } from "@/components/ui/badge";
import type { ApprovalView } from "@/lib/engine/approvals/approval-view";
import { GATE_REASON_TEXT } from "@/components/approvals/gate-reasons";
import type { ApprovalDetails } from "@/components/approvals/types";
import { RISK_MARKS } from "@/components/approvals/inbox/risk-mark";
import { raiseRisk } from "@/lib/engine/approvals/signals";
import { classifyLineRisk } from "./authority-risk";

const reasonText = (reason: string): string =>
  Object.hasOwn(GATE_REASON_TEXT, reason) ? GATE_REASON_TEXT[reason as keyof typeof GATE_REASON_TEXT] : reason;

const ViewRisk = ({ authority, signals }: Pick<ApprovalView, "authority" | "signals">) => {
  const { Shape, word } = RISK_MARKS[raiseRisk(classifyLineRisk(authority), signals)];

  return (
    <Badge>
      <Shape aria-hidden className="size-3.5" />
      {word} risk
    </Badge>
  );
};

/** Longer prompts scroll; values stay in sight. */
const MOST_OF_PROMPT = 400;

const LongPrompt = ({ prompt }: { readonly prompt: string }) => (
  <section
    aria-label="Question"
    // Without focusable content, it must be focusable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls takes the keyboard
    tabIndex={0}
    className="mt-1 max-h-32 overflow-y-auto rounded-sm border px-2 py-1 whitespace-pre-wrap text-ink"
  >
    {toVisibleText(prompt)}
  </section>
);

type Props = {
  readonly view: ApprovalView;
  readonly graphName: string;
  readonly nodeTitle: string;
};

export const Heading = ({ view, graphName, nodeTitle }: Props) => {
  const isQuiet = view.authority.startsWith("No authority change");
  const Shield = isQuiet ? ShieldCheck : ShieldAlert;
  const isCase = view.reason === "review";

  return (
    <header className="flex flex-col gap-2">
      <p className="text-xs text-muted">
        <Link href="/approvals" className="hover:text-ink hover:underline">
          Approvals
        </Link>{" "}
        / {graphName}
      </p>
      {/* A review case calls nothing. */}
      <h1 className="text-xl font-semibold text-balance wrap-anywhere">
        {isCase ? `Your verdict: ${nodeTitle}` : toVisibleText(view.summary ?? view.effect)}
      </h1>
      {isCase || view.summary !== null ? <p className="text-sm">{toVisibleText(view.effect)}</p> : null}
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base font-medium">
        <span>
          <Shield aria-hidden className="mr-2 inline size-4 align-[-0.125em] text-muted" />
          {toVisibleText(view.authority)}
        </span>
        <ViewRisk authority={view.authority} signals={view.signals} />
      </p>
      {(view.needs?.rules ?? []).map((rule) => (
        <p key={rule} className="flex items-start gap-2 text-sm">
          <Scale aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
          <span>Workspace rule: {toVisibleText(rule)}</span>
        </p>
      ))}
      <div className="max-w-prose text-sm text-muted">
        {reasonText(view.reason)}.{" "}
        {view.prompt.length <= MOST_OF_PROMPT ? (
          <span className="whitespace-pre-wrap text-ink">{toVisibleText(view.prompt)}</span>
        ) : (
          <LongPrompt prompt={view.prompt} />
        )}
      </div>
    </header>
  );
};

export const getNodeTitle = ({ nodeTitles: titles }: Pick<ApprovalDetails, "nodeTitles">, node: string): string =>
  Object.hasOwn(titles, node) ? titles[node] || node : node;
