"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { SkeletonRows } from "@/components/ui/skeleton";
import { DiffPane } from "./diff-pane";
import type { NodeNames } from "./node-names";
import { RecordList } from "./record-list";
import { StatePane } from "./state-pane";
import { ConnectionNote } from "./connection-note";
import type { Timeline } from "./timeline";
import type { RunLedger } from "./use-run-ledger";
import type { RecordCursor } from "./use-record-cursor";

type PaneProps = { readonly title: string; readonly aside?: ReactNode; readonly children: ReactNode };

const Pane = ({ title, aside, children }: PaneProps) => (
  <section aria-label={title} className="flex min-h-0 min-w-0 flex-col border-r bg-surface last:border-r-0">
    <header className="flex h-9 shrink-0 items-center gap-2 border-b px-3">
      <h2 className="text-xs font-semibold">{title}</h2>
      <span className="ml-auto flex items-center gap-2">{aside}</span>
    </header>
    {children}
  </section>
);

type Props = {
  readonly ledger: RunLedger;
  readonly timeline: Timeline;
  readonly cursor: RecordCursor;
  readonly names: NodeNames;
  readonly protectedKeys: ReadonlySet<string>;
  /** Names of people by id, as far as they are known here. */
  readonly people: Readonly<Record<string, string>>;
  /** The run, for whoever may ask to see what is hidden from them. */
  readonly revealIn: string | null;
  /** What can be done from the selected record. */
  readonly actions: ReactNode;
};

/** Records, the state after the selected one, and what it changed: three panes in step. */
export const RunPanes = ({ ledger: { entries, connection }, timeline, cursor, names, protectedKeys, people, revealIn, actions }: Props) => {
  const entry = entries[cursor.selected];
  if (!entry) {
    return connection === "ended" || connection === "broken" ? (
      <EmptyState
        kind={connection === "broken" ? "failed" : "nothing_yet"}
        title={connection === "broken" ? "The records could not be loaded" : "No records yet"}
      />
    ) : (
      <SkeletonRows rows={10} />
    );
  }
  const before = timeline.stateAt(cursor.selected - 1);
  const after = timeline.stateAt(cursor.selected);
  const last = entries.length - 1;

  return (
    <div className="grid min-h-0 flex-1 overflow-x-auto grid-cols-[minmax(20rem,1.15fr)_minmax(16rem,1fr)_minmax(16rem,1fr)]">
      <Pane
        title="Records"
        aside={
          <>
            <ConnectionNote connection={connection} />
            {cursor.isFollowing || cursor.selected === last ? null : (
              <Button size="sm" variant="ghost" onClick={cursor.follow}>
                To the end
              </Button>
            )}
          </>
        }
      >
        <RecordList
          entries={entries}
          names={names}
          selected={cursor.selected}
          isFollowing={cursor.isFollowing}
          onSelect={cursor.select}
          onLeaveTail={cursor.stay}
        />
      </Pane>
      <Pane title={`State after record ${cursor.selected}`} aside={actions}>
        <StatePane
          entries={entries}
          names={names}
          state={after}
          seq={cursor.selected}
          protectedKeys={protectedKeys}
          people={people}
          revealIn={revealIn}
        />
      </Pane>
      <Pane title={`What record ${cursor.selected} changed`}>
        <DiffPane key={entry.seq} entry={entry} names={names} before={before} after={after} people={people} revealIn={revealIn} />
      </Pane>
    </div>
  );
};
