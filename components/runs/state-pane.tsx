"use client";

import { useId, useState, type ReactNode } from "react";
import { toLedgerPath } from "@/lib/engine/labels/blame";
import type { RunState } from "@/lib/engine/state";
import { count } from "@/lib/format";
import { BlameShortcut } from "./blame/blame-shortcut";
import { useBlamePath } from "./blame/use-blame-path";
import { Writer } from "./blame/writer";
import { isShreddedAt, type Entry } from "./entries";
import { CellFiles } from "@/components/values/cell-files";
import { LabelMark } from "@/components/values/label-mark";
import { listAsideRows, listMemoryRows, listZones, type MemoryRow } from "./memory-rows";
import { placeTitles, type NodeNames } from "./node-names";
import { shortenPath } from "@/components/values/shorten-path";
import { Provenance } from "@/components/values/provenance";
import { RevealCell } from "@/components/values/reveal-cell";
import { SHREDDED } from "@/components/values/visible-value";
import { PinButton } from "./timeline/pin-context";
import { ShownValue } from "@/components/values/value-text";
import { WhyTainted } from "./why-tainted";

/** Long runs have thousands of engine cells. */
const MOST_ASIDE = 100;

type RowProps = {
  readonly row: MemoryRow;
  readonly blamed: string;
  readonly isProtected: boolean;
  readonly people: Readonly<Record<string, string>>;
  readonly why: ReactNode;
  readonly pin?: ReactNode;
  readonly reveal: ReactNode;
  readonly writer: ReactNode;
  /** Absent inside a zone, which shows the label. */
  readonly mark?: ReactNode;
};

const Row = ({ row, blamed, isProtected, people, why, pin, reveal, writer, mark }: RowProps) => (
  <li data-blame={blamed} className="flex flex-col gap-1 border-b px-3 py-2 last:border-b-0">
    <div className="flex flex-wrap items-center gap-2">
      <span className="font-mono text-xs font-medium break-all" title={row.path}>
        {shortenPath(row.path)}
      </span>
      {mark}
      <span className="text-xs text-muted">{row.label.confidentiality}</span>
      {isProtected ? <span className="text-xs text-muted">protected</span> : null}
      {why}
      {pin}
      {writer}
    </div>
    <div className="flex items-center gap-2">
      <ShownValue shown={row.shown} />
      {reveal}
    </div>
    <CellFiles {...row} />
    <Provenance sources={row.label.provenance} people={people} />
  </li>
);

type Props = {
  readonly entries: readonly Entry[];
  readonly names: NodeNames;
  readonly state: RunState;
  readonly seq: number;
  readonly protectedKeys: ReadonlySet<string>;
  readonly people: Readonly<Record<string, string>>;
  readonly revealIn: string | null;
};

export const StatePane = ({ entries, names, state, seq, protectedKeys, people, revealIn }: Props) => {
  const paneId = useId();
  const blame = useBlamePath();
  const asItIsNow = (row: MemoryRow): MemoryRow => (isShreddedAt(entries, row.seq, row.index) ? { ...row, shown: SHREDDED } : row);
  const memory = listMemoryRows(state).map(asItIsNow);
  const [isAsideOpen, setIsAsideOpen] = useState(false);
  // Built only while open: states can have thousands of rows.
  const aside = isAsideOpen ? listAsideRows(state, MOST_ASIDE).map(asItIsNow) : [];
  const revealOf = ({ shown, seq: at, index, path }: MemoryRow) =>
    revealIn !== null && shown.kind === "hidden" ? <RevealCell runId={revealIn} seq={at} index={index} path={path} /> : null;
  const whyOf = (row: MemoryRow) =>
    row.label.integrity === "trusted" ? null : (
      <WhyTainted entries={entries} names={names} path={toLedgerPath(state.frames, row.path)} shownPath={row.path} seq={seq} />
    );
  const writerOf = (row: MemoryRow) => (
    <Writer
      row={row}
      isNew={row.seq === seq}
      record={entries[row.seq]?.record ?? null}
      people={people}
      nameOf={names.at(state.frames)}
      onOpen={() => blame.open(toLedgerPath(state.frames, row.path))}
    />
  );
  const keyOf = (path: string) => path.split(".")[0] ?? path;

  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <BlameShortcut first={memory[0] && toLedgerPath(state.frames, memory[0].path)} />
      {state.frames.length === 0 ? null : (
        <p className="border-b px-3 py-2 text-xs text-muted">
          Inside {placeTitles(names, state.frames).join(" / ")}: memory of the subgraph, separate from the run&apos;s own.
        </p>
      )}
      {memory.length === 0 ? <p className="px-3 py-4 text-sm text-muted">Memory is empty.</p> : null}
      {listZones(memory).map(({ integrity, rows }) => (
        <section key={integrity} aria-labelledby={`${paneId}-${integrity}`}>
          <h3 id={`${paneId}-${integrity}`} className="flex items-center gap-2 border-b bg-sunken/60 px-3 py-1 text-xs text-muted">
            <LabelMark integrity={integrity} bare />
            <span className="tabular">{rows.length}</span>
          </h3>
          <ul className="border-b">
            {rows.map((row) => (
              <Row
                key={row.id}
                row={row}
                blamed={toLedgerPath(state.frames, row.path)}
                isProtected={state.frames.length === 0 && protectedKeys.has(keyOf(row.path))}
                people={people}
                why={whyOf(row)}
                pin={<PinButton path={toLedgerPath(state.frames, row.path)} shownPath={row.path} />}
                reveal={revealOf(row)}
                writer={writerOf(row)}
              />
            ))}
          </ul>
        </section>
      ))}
      {state.aside.length > 0 ? (
        <details className="border-t" onToggle={({ currentTarget }) => setIsAsideOpen(currentTarget.open)}>
          <summary className="px-3 py-2 text-xs font-medium text-muted hover:text-ink">
            Engine state ({count(state.aside.length)}): threads, results, pending items
            {state.aside.length > MOST_ASIDE ? `, newest ${MOST_ASIDE}` : ""}
          </summary>
          <ul>
            {aside.map((row) => (
              <Row
                key={row.id}
                row={row}
                blamed={toLedgerPath(state.frames, row.path)}
                isProtected={false}
                people={people}
                why={whyOf(row)}
                reveal={revealOf(row)}
                writer={writerOf(row)}
                mark={<LabelMark integrity={row.label.integrity} bare />}
              />
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
};
