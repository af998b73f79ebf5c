"use client";

import { toVisibleText } from "@/components/values/visible-text";
import { HIDDEN } from "@/components/values/visible-value";
import { ShownValue } from "@/components/values/value-text";
import { Badge } from "@/components/ui/badge";
import type { ApprovalView, ViewLine } from "@/lib/engine/approvals/approval-view";
import { listChangedSentences, compareViews, type InterdiffLine } from "@/lib/engine/approvals/interdiff";
import type { Json } from "@/lib/json";
import { splitParts } from "@/lib/leaves";
import { DiffRows } from "./diff-rows";
import { describeSource, type People } from "./origin-text";
import { toPlainRow, type Row } from "./view-model";

const KIND_TEXT = {
  added: "added",
  removed: "removed",
  changed: "changed",
  same: "unchanged",
  hidden: "hidden from you, not compared",
} as const satisfies Record<InterdiffLine["kind"], string>;

const valueOf = (line: ViewLine | null): Json | undefined => {
  const side = line?.after ?? null;

  return side === null || side.hidden ? undefined : side.value;
};

const rowsOf = ({ before, after }: InterdiffLine): readonly Row[] =>
  splitParts(valueOf(before), valueOf(after))
    .filter(({ op }) => op !== "same")
    .map((part, index) => toPlainRow(part, index));

const labelText = (line: ViewLine): string => `${line.integrity}, ${line.confidentiality}`;

const Label = ({ line: { before, after }, people }: { readonly line: InterdiffLine; readonly people: People }) => {
  if (!before || !after) return null;
  const joined = after.provenance.filter((source) => !before.provenance.includes(source));
  if (labelText(before) === labelText(after) && joined.length === 0) return null;

  return (
    <p className="text-xs text-muted">
      {labelText(before) === labelText(after) ? "" : `${labelText(before)} before, ${labelText(after)} now. `}
      {joined.length === 0 ? "" : `Now also from ${joined.map((source) => describeSource(source, people)).join(", ")}.`}
    </p>
  );
};

const Line = ({ line, people }: { readonly line: InterdiffLine; readonly people: People }) => {
  const rows = line.kind === "hidden" ? [] : rowsOf(line);

  return (
    <li className="flex flex-col gap-1 border-b px-3 py-2 last:border-b-0">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-mono text-xs font-medium break-all">{toVisibleText(line.path)}</span>
        <Badge>{KIND_TEXT[line.kind]}</Badge>
      </p>
      {line.kind === "hidden" ? (
        <span>
          <ShownValue shown={HIDDEN} />
        </span>
      ) : rows.length === 0 ? null : (
        <DiffRows rows={rows} />
      )}
      <Label line={line} people={people} />
    </li>
  );
};

const SENTENCES = { effect: "Effect", authority: "Authority", prompt: "Question" } as const;

type Props = {
  readonly before: ApprovalView;
  readonly after: ApprovalView;
  readonly people: People;
};

export const InterdiffLines = ({ before, after, people }: Props) => {
  const lines = compareViews(before, after);
  const others = lines.filter(({ kind }) => kind !== "same");
  const same = lines.length - others.length;

  return (
    <>
      <ul>
        {listChangedSentences(before, after).map((name) => (
          <li key={name} className="border-b px-3 py-2 text-sm">
            <span className="text-xs text-muted">{SENTENCES[name]}</span>
            <p className="text-muted line-through decoration-line-strong">{toVisibleText(before[name])}</p>
            <p>{toVisibleText(after[name])}</p>
          </li>
        ))}
        {others.map((line, index) => (
          <Line key={`${index} ${line.path}`} line={line} people={people} />
        ))}
      </ul>
      <p className="px-3 py-2 text-xs text-muted">
        {others.length === 0 ? "No visible value changed. " : ""}
        {same === 0 ? "" : `${same} ${same === 1 ? "path" : "paths"} unchanged.`}
      </p>
    </>
  );
};
