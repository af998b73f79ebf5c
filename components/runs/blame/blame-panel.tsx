"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useMemo, useState } from "react";
import type { Entry } from "@/components/runs/entries";
import { LabelMark } from "@/components/values/label-mark";
import { formatNodeTitle, trackPlacesBefore, type NodeNames } from "@/components/runs/node-names";
import { shortenPath } from "@/components/values/shorten-path";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { Tabs } from "@/components/ui/tabs";
import { formatAbsoluteTime, count } from "@/lib/format";
import { blame, type WriteRef } from "@/lib/engine/labels/blame";
import { stripPrefix } from "@/lib/engine/frame";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { sliceBackward, forwardSlice, collectTouched, type SliceStep, type Touched } from "@/lib/engine/ledger/slice";
import { describeActor, type People } from "./author";
import { BACKWARD, FORWARD, SliceList } from "./slice-list";
import { useBlamePath } from "./use-blame-path";

type Known = {
  readonly recordAt: (seq: number) => LedgerRecord | null | undefined;
  readonly nodeOf: (record: LedgerRecord) => string | null;
  readonly onJump: (seq: number) => void;
};

const RecordButton = ({ seq, onJump }: { readonly seq: number; readonly onJump: (seq: number) => void }) => (
  <button
    type="button"
    className="tabular inline-flex min-h-6 items-center text-accent underline underline-offset-2"
    onClick={() => onJump(seq)}
  >
    record {seq}
  </button>
);

const Writers = ({
  writes,
  people,
  recordAt,
  nodeOf,
  onJump,
}: Known & { readonly writes: readonly WriteRef[]; readonly people: People }) => (
  <ul aria-label="Written by" className="flex flex-col gap-1 text-sm">
    {writes.map((write) => {
      const record = recordAt(write.seq);

      return (
        <li key={`${write.seq}.${write.index}`} className="flex flex-wrap items-center gap-x-2">
          <LabelMark integrity={write.label.integrity} bare />
          <span className="font-mono text-xs break-all">{shortenPath(stripPrefix(write.path))}</span>
          <RecordButton seq={write.seq} onJump={onJump} />
          {record ? (
            <span className="text-xs text-muted">
              by {describeActor(record, people)}
              {nodeOf(record) === null ? "" : ` in ${nodeOf(record) ?? ""}`}, {formatAbsoluteTime(record.at)}
            </span>
          ) : null}
        </li>
      );
    })}
  </ul>
);

const list = (items: readonly React.ReactNode[]) => (items.length === 0 ? "none" : items);

const TouchedFacts = ({ touched, onJump }: { readonly touched: Touched; readonly onJump: (seq: number) => void }) => (
  <dl className="mb-2 grid grid-cols-[8rem_1fr] gap-y-1 text-xs">
    <dt className="text-muted">Tool calls</dt>
    <dd className="flex flex-wrap gap-x-3">
      {list(
        touched.effects.map(({ seq, server, tool }) => (
          <span key={seq}>
            <span className="font-mono">
              {server}.{tool}
            </span>{" "}
            in <RecordButton seq={seq} onJump={onJump} />
          </span>
        )),
      )}
    </dd>
    <dt className="text-muted">Gates</dt>
    <dd className="flex flex-wrap gap-x-3">{list(touched.gates.map(({ seq }) => <RecordButton key={seq} seq={seq} onJump={onJump} />))}</dd>
    <dt className="text-muted">Still in memory</dt>
    <dd className="flex flex-wrap gap-x-3">
      {list(
        touched.outputs.map(({ seq, index, path }) => (
          <span key={`${seq}.${index}`}>
            <span className="font-mono break-all">{shortenPath(path)}</span>, <RecordButton seq={seq} onJump={onJump} />
          </span>
        )),
      )}
    </dd>
  </dl>
);

/** Each record at its nearest position. */
const forwardOf = (records: readonly LedgerRecord[], writes: readonly WriteRef[], withWay: boolean): readonly SliceStep[] => {
  const seen = new Set<number>();

  return writes.flatMap((write) =>
    forwardSlice(records, write, { withWay }).filter(({ seq }) => {
      const isNew = !seen.has(seq);
      seen.add(seq);

      return isNew;
    }),
  );
};

type Props = {
  readonly entries: readonly Entry[];
  readonly names: NodeNames;
  readonly people: People;
  readonly seq: number;
};

const Panel = ({
  entries,
  names,
  people,
  path,
  seq,
  onJump,
}: Props & { readonly path: string; readonly onJump: (seq: number) => void }) => {
  const [view, setView] = useQueryState("slice", parseAsStringLiteral(["back", "forward"]).withDefault("back"));
  const [withWay, setWithWay] = useState(false);
  const records = useMemo(() => entries.flatMap(({ record }) => record ?? []), [entries]);
  const places = useMemo(() => trackPlacesBefore(entries), [entries]);
  const writes = useMemo(() => blame(records, path, seq), [records, path, seq]);
  const known: Known = {
    recordAt: (at) => entries[at]?.record,
    nodeOf: ({ seq: at, node }) => (node === null ? null : formatNodeTitle(names, places[at] ?? [], node)),
    onJump,
  };
  const back = useMemo(() => sliceBackward(records, writes, { withWay }), [records, writes, withWay]);
  const forward = useMemo(() => forwardOf(records, writes, withWay), [records, writes, withWay]);
  const touched = useMemo(() => collectTouched(records, forward), [records, forward]);
  if (writes.length === 0) return <p className="text-sm text-muted">No value at this path after record {seq}.</p>;

  return (
    <div className="flex flex-col gap-3">
      <Writers writes={writes} people={people} {...known} />
      <Checkbox checked={withWay} onCheckedChange={setWithWay}>
        Include control-flow influences
      </Checkbox>
      <Tabs
        aria-label="Provenance"
        value={view}
        onValueChange={(next) => void setView(next)}
        panelClassName="pt-2"
        tabs={[
          {
            value: "back",
            label: `Sources (${count(back.length)})`,
            panel: <SliceList label="Sources" steps={back} words={BACKWARD} {...known} />,
          },
          {
            value: "forward",
            label: `Used by (${count(forward.length)})`,
            panel:
              forward.length === 0 ? (
                <p className="text-sm text-muted">No later record uses this value.</p>
              ) : (
                <>
                  <TouchedFacts touched={touched} onJump={onJump} />
                  <SliceList label="Used by" steps={forward} words={FORWARD} {...known} />
                </>
              ),
          },
        ]}
      />
    </div>
  );
};

export const BlamePanel = (props: Props) => {
  const { path, close, goTo } = useBlamePath();

  return (
    <Dialog
      open={path !== null}
      onOpenChange={(next) => (next ? undefined : close())}
      title={`Provenance of ${path === null ? "this value" : shortenPath(stripPrefix(path))}`}
      description="Based on the reads, calls and decisions in the ledger. Values themselves are not inspected."
      size="xl"
    >
      {path === null ? null : <Panel {...props} path={path} onJump={goTo} />}
    </Dialog>
  );
};
