"use client";

import type { ApprovalView } from "@/lib/engine/approvals/approval-view";
import { DiffLine } from "./detail/diff-line";
import type { People } from "./detail/origin-text";
import { groupLines } from "./detail/view-model";

type Props = { readonly view: ApprovalView; readonly people: People };

/** Decided and compared values by path. */
export const ViewLines = ({ view, people }: Props) =>
  groupLines(view.lines).map(({ title, lines }) => {
    const steering = lines.filter(({ steers }) => steers.length > 0).length;

    return (
      <section key={title} aria-label={title} className="overflow-hidden rounded-lg border bg-surface">
        <header className="flex min-h-10 flex-wrap items-center gap-x-3 border-b px-3 py-1.5">
          <h2 className="text-sm font-semibold">{title}</h2>
          <span className="tabular text-xs text-muted">
            {lines.length} {lines.length === 1 ? "path" : "paths"}
            {steering === 0 ? "" : `, ${steering} steered by untrusted values`}
          </span>
        </header>
        <ul>
          {lines.map((model, index) => (
            <DiffLine key={`${index} ${model.path}`} model={model} people={people} />
          ))}
        </ul>
      </section>
    );
  });
