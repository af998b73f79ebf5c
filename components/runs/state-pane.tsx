"use client";

import { useId, type ReactNode } from "react";
import { ledgerPath } from "@/lib/engine/blame";
import type { RunState } from "@/lib/engine/state";
import { isShreddedAt, type Entry } from "./entries";
import { LabelMark } from "./label-mark";
import { asideRows, memoryRows, zonesOf, type MemoryRow } from "./memory-rows";
import { placeTitles, type NodeNames } from "./node-names";
import { shortPath } from "./places";
import { Provenance } from "./provenance";
import { RevealCell } from "./reveal-cell";
import { SHREDDED } from "./shown";
import { ShownValue } from "./shown-value";
import { WhyTainted } from "./why-tainted";

type RowProps = {
  readonly row: MemoryRow;
  readonly isChanged: boolean;
  readonly isProtected: boolean;
  readonly people: Readonly<Record<string, string>>;
  readonly why: ReactNode;
  readonly reveal: ReactNode;
  /** Absent where the zone around it says so already. */
  readonly mark?: ReactNode;
};

const Row = ({ row, isChanged, isProtected, people, why, reveal, mark }: RowProps) => (
  <li className="flex flex-col gap-1 border-b px-3 py-2 last:border-b-0">
    <div className="flex flex-wrap items-center gap-2">
      <span className="font-mono text-xs font-medium break-all" title={row.path}>
        {shortPath(row.path)}
      </span>
      {mark}
      <span className="text-xs text-muted">{row.label.confidentiality}</span>
      {isProtected ? <span className="text-xs text-muted">protected</span> : null}
      {why}
      <span className="tabular ml-auto text-xs text-faint">
        {isChanged ? "written now" : "written at"} {isChanged ? "" : row.seq}
      </span>
    </div>
    <div className="flex items-center gap-2">
      <ShownValue shown={row.shown} />
      {reveal}
    </div>
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
  /** The run, for whoever may ask to see what is hidden from them. */
  readonly revealIn: string | null;
};

/** The memory of the run after the selected record, and what the engine keeps beside it. */
export const StatePane = ({ entries, names, state, seq, protectedKeys, people, revealIn }: Props) => {
  const paneId = useId();
  const asItIsNow = (row: MemoryRow): MemoryRow => (isShreddedAt(entries, row.seq, row.index) ? { ...row, shown: SHREDDED } : row);
  const memory = memoryRows(state).map(asItIsNow);
  const aside = asideRows(state).map(asItIsNow);
  const revealOf = ({ shown, seq: at, index, path }: MemoryRow) =>
    revealIn !== null && shown.kind === "hidden" ? <RevealCell runId={revealIn} seq={at} index={index} path={path} /> : null;
  const whyOf = (row: MemoryRow) =>
    row.label.integrity === "trusted" ? null : (
      <WhyTainted entries={entries} names={names} path={ledgerPath(state.frames, row.path)} shownPath={row.path} seq={seq} />
    );
  const keyOf = (path: string) => path.split(".")[0] ?? path;

  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {state.frames.length === 0 ? null : (
        <p className="border-b px-3 py-2 text-xs text-muted">
          Inside {placeTitles(names, state.frames).join(" / ")}: the memory of the inner graph, apart from the run&apos;s own.
        </p>
      )}
      {memory.length === 0 ? <p className="px-3 py-4 text-sm text-muted">Nothing is in memory yet.</p> : null}
      {zonesOf(memory).map(({ integrity, rows }) => (
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
                isChanged={row.seq === seq}
                isProtected={state.frames.length === 0 && protectedKeys.has(keyOf(row.path))}
                people={people}
                why={whyOf(row)}
                reveal={revealOf(row)}
              />
            ))}
          </ul>
        </section>
      ))}
      {aside.length > 0 ? (
        <details className="border-t">
          <summary className="px-3 py-2 text-xs font-medium text-muted hover:text-ink">
            Beside memory ({aside.length}): threads, results, what waits
          </summary>
          <ul>
            {aside.map((row) => (
              <Row
                key={row.id}
                row={row}
                isChanged={row.seq === seq}
                isProtected={false}
                people={people}
                why={whyOf(row)}
                reveal={revealOf(row)}
                mark={<LabelMark integrity={row.label.integrity} bare />}
              />
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
};
