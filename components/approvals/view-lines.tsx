"use client";

import type { ReactNode } from "react";
import type { ApprovalView, ViewLine } from "@/lib/engine/approvals/approval-view";
import { RelativeTime } from "@/components/ui/relative-time";
import { DiffLine } from "./detail/diff-line";
import type { People } from "./detail/origin-text";
import { groupLines } from "./detail/view-model";
import { ViewDigestContext } from "./seeing/seeing-context";

type Props = {
  readonly view: ApprovalView;
  readonly people: People;
  /** Of the view, where it can be decided. */
  readonly viewDigest?: string;
  /** When the run read the earlier values: viewing calls no tool. */
  readonly readAt?: number | null;
  /** In the first heading if values are formatted. */
  readonly rawToggle?: ReactNode;
};

/** Text for an earlier value: unknown unless the run read the call's record. */
const withoutOf = ({ lines, signals }: ApprovalView): string => {
  const isKnown = lines.some(({ op, before }) => op === "call" && before !== null);

  return isKnown && !signals.some(({ code }) => code === "different_record") ? "—" : "unknown";
};

const withoutIn = ({ op, before }: ViewLine, without: string): string | null => {
  if (op === "call") return before?.hidden === true ? "hidden from your role" : without;

  return op === "set" ? "—" : null;
};

const hasTexts = ({ lines }: ApprovalView): boolean =>
  lines.some(({ before, after }) => [before, after].some((side) => side?.hidden === false && side.texts !== undefined));

export const ViewLines = ({ view, people, viewDigest, readAt = null, rawToggle = null }: Props) => {
  const [without, isFormatted] = [withoutOf(view), hasTexts(view)];

  return (
    <ViewDigestContext value={viewDigest ?? null}>
      {groupLines(view.lines).map(({ title, lines }, group) => {
        const steering = lines.filter(({ steers }) => steers.length > 0).length;

        return (
          <section key={title} aria-label={title} className="overflow-hidden rounded-lg border bg-surface">
            <header className="flex min-h-10 flex-wrap items-center gap-x-3 border-b px-3 py-1.5">
              <h2 className="text-sm font-semibold">{title}</h2>
              <span className="tabular flex-1 text-xs text-muted">
                {lines.length} {lines.length === 1 ? "path" : "paths"}
                {steering === 0 ? "" : `, ${steering} steered by untrusted values`}
                {readAt !== null && lines.some(({ line }) => line.op === "call" && line.before !== null) ? (
                  <>
                    , before as the run read it <RelativeTime at={readAt} />
                  </>
                ) : null}
              </span>
              {group === 0 && isFormatted ? rawToggle : null}
            </header>
            <ul>
              {lines.map((model, index) => (
                <DiffLine key={`${index} ${model.path}`} model={model} people={people} without={withoutIn(model.line, without)} />
              ))}
            </ul>
          </section>
        );
      })}
    </ViewDigestContext>
  );
};
