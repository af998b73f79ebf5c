"use client";

import type { ReactNode } from "react";
import { DigestChip } from "@/components/ui/digest-chip";
import { formatAbsoluteTime } from "@/lib/format";
import type { RunState } from "@/lib/engine/state";
import { withArticle } from "./blame/author";
import type { Entry } from "./entries";
import { CellFiles } from "@/components/values/cell-files";
import { LabelMark } from "@/components/values/label-mark";
import type { NodeNames } from "./node-names";
import { shortenPath } from "@/components/values/shorten-path";
import { Provenance } from "@/components/values/provenance";
import { RefusalDetail } from "./refusal-detail";
import { RevealCell } from "@/components/values/reveal-cell";
import { CopyStepTest } from "./step-test/copy-step-test";
import { ShownValue } from "@/components/values/value-text";
import { listFigureChanges, listPathChanges, type PathChange } from "./step-diff";

type ChangeProps = {
  readonly change: PathChange;
  readonly seq: number;
  readonly people: Readonly<Record<string, string>>;
  readonly reveal: ReactNode;
};

const Change = ({ change, seq, people, reveal }: ChangeProps) => (
  <li className="flex flex-col gap-1 border-b px-3 py-2 last:border-b-0">
    <div className="flex flex-wrap items-center gap-2">
      <span className="font-mono text-xs font-medium break-all" title={change.path}>
        {shortenPath(change.path)}
      </span>
      <LabelMark integrity={change.label.integrity} bare />
      <span className="text-xs text-muted">{change.label.confidentiality}</span>
    </div>
    {change.isAside ? (
      <div className="flex items-center gap-2">
        <ShownValue shown={change.after} />
        {reveal}
      </div>
    ) : (
      <dl className="grid grid-cols-[3.5rem_1fr] gap-x-2 gap-y-1">
        <dt className="text-xs leading-5 text-faint">before</dt>
        <dd className="min-w-0">
          <ShownValue shown={change.before} />
        </dd>
        <dt className="text-xs leading-5 text-faint">after</dt>
        <dd className="flex min-w-0 items-center gap-2">
          <ShownValue shown={change.after} />
          {reveal}
        </dd>
      </dl>
    )}
    <CellFiles shown={change.after} label={change.label} seq={seq} index={change.index} />
    <Provenance sources={change.label.provenance} people={people} />
  </li>
);

type Props = {
  /** At least up to this record. */
  readonly entries: readonly Entry[];
  readonly entry: Entry;
  readonly names: NodeNames;
  readonly before: RunState;
  readonly after: RunState;
  readonly people: Readonly<Record<string, string>>;
  readonly revealIn: string | null;
};

export const DiffPane = ({ entries, entry, names, before, after, people, revealIn }: Props) => {
  const revealOf = ({ index, path, after: shown }: PathChange) =>
    revealIn !== null && shown.kind === "hidden" ? <RevealCell runId={revealIn} seq={entry.seq} index={index} path={path} /> : null;
  const changes = listPathChanges(before, after, entry, names);
  const figures = listFigureChanges(before, after, names);
  const { record } = entry;

  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {record?.refusal ? <RefusalDetail refusal={record.refusal} runId={record.run} seq={record.seq} /> : null}
      {figures.length > 0 ? (
        <dl className="grid grid-cols-[6rem_1fr] gap-x-2 gap-y-1 border-b px-3 py-2 text-xs">
          {figures.map((figure) => (
            <div key={figure.name} className="contents">
              <dt className="text-muted">{figure.name}</dt>
              <dd className="tabular">
                <span className="text-faint">{figure.before}</span> → <span className="font-medium">{figure.after}</span>
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      <ul>
        {changes.map((change, index) => (
          <Change key={`${index} ${change.path}`} change={change} seq={entry.seq} people={people} reveal={revealOf(change)} />
        ))}
      </ul>
      {changes.length === 0 && figures.length === 0 && !record?.refusal ? (
        <p className="px-3 py-4 text-sm text-muted">This record changed no values.</p>
      ) : null}
      {record ? (
        <dl className="grid grid-cols-[6rem_1fr] gap-x-2 gap-y-1 border-t px-3 py-2 text-xs text-muted">
          <dt>At</dt>
          <dd className="tabular">{formatAbsoluteTime(record.at)}</dd>
          <dt>Proposed by</dt>
          <dd>
            {record.principal.type === "user" ? withArticle(record.principal.role) : record.principal.type}
            {record.node ? ` in ${names.at(before.frames)(record.node)}` : ""}
          </dd>
          <dt>Digest</dt>
          <dd>
            <DigestChip digest={entry.digest} label="record digest" />
          </dd>
          <dt>Previous digest</dt>
          <dd>
            <DigestChip digest={record.parent} label="parent digest" />
          </dd>
          <dt>Signed by</dt>
          <dd className="font-mono">{entry.kid}</dd>
          <dt>Test</dt>
          <dd>
            <CopyStepTest entries={entries} seq={entry.seq} />
          </dd>
        </dl>
      ) : null}
    </div>
  );
};
