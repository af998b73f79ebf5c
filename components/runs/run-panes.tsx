"use client";

import { useState, type ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { SkeletonRows } from "@/components/ui/skeleton";
import { count } from "@/lib/format";
import { DiffPane } from "./diff-pane";
import type { Entry } from "./entries";
import type { FeedState } from "./feed/feed";
import type { NodeNames } from "./node-names";
import { RecordList } from "./record-list";
import { RunPanels } from "./run-panels";
import { StatePane } from "./state-pane";
import type { View } from "./timeline/use-timeline-address";
import type { RecordCursor } from "./use-record-cursor";

type PaneProps = {
  readonly title: string;
  /** On phones, the others are hidden. */
  readonly isChosen: boolean;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
};

const Pane = ({ title, isChosen, aside, children }: PaneProps) => (
  <section
    aria-label={title}
    className={cn(
      "@container flex min-h-0 min-w-0 flex-col border-r bg-surface last:border-r-0 max-md:border-r-0",
      !isChosen && "max-md:hidden",
    )}
  >
    <header className="flex h-9 shrink-0 items-center gap-2 border-b px-3">
      <h2 className="truncate text-xs font-semibold">{title}</h2>
      <span className="ml-auto flex shrink-0 items-center gap-2">{aside}</span>
    </header>
    {children}
  </section>
);

const COLUMNS = {
  both: "md:grid-cols-[minmax(20rem,1.15fr)_minmax(13rem,1fr)_minmax(13rem,1fr)]",
  state: "md:grid-cols-[minmax(20rem,1fr)_minmax(20rem,1.4fr)]",
  diff: "md:grid-cols-[minmax(20rem,1fr)_minmax(20rem,1.4fr)]",
} as const satisfies Record<View, string>;

const PANES = { records: "Records", state: "State", diff: "Changes" } as const;

type PaneName = keyof typeof PANES;

const LISTED: Readonly<Record<View, readonly PaneName[]>> = {
  both: ["records", "state", "diff"],
  state: ["records", "state"],
  diff: ["records", "diff"],
};

type PaneSwitchProps = { readonly view: View; readonly chosen: PaneName; readonly onChoose: (pane: PaneName) => void };

/** Phones show one pane. */
const PaneSwitch = ({ view, chosen, onChoose }: PaneSwitchProps) => (
  <fieldset aria-label="Panes" className="sticky top-0 z-10 flex shrink-0 border-b bg-surface px-2 md:hidden">
    {LISTED[view].map((pane) => (
      <button
        key={pane}
        type="button"
        aria-pressed={pane === chosen}
        onClick={() => onChoose(pane)}
        className="-mb-px h-11 flex-1 border-b-2 border-transparent text-sm font-medium text-muted focus-visible:-outline-offset-2 aria-pressed:border-accent aria-pressed:text-ink"
      >
        {PANES[pane]}
      </button>
    ))}
  </fieldset>
);

type Props = {
  readonly feed: FeedState;
  /** From the start, without gaps. */
  readonly entries: readonly Entry[];
  readonly cursor: RecordCursor;
  readonly view: View;
  /** Null: all. */
  readonly shown: readonly number[] | null;
  readonly unseen: number;
  readonly names: NodeNames;
  readonly protectedKeys: ReadonlySet<string>;
  readonly people: Readonly<Record<string, string>>;
  /** Null: the reader may not reveal values. */
  readonly revealIn: string | null;
  readonly note: ReactNode;
  readonly actions: ReactNode;
};

/** While earlier records load and replay. */
const Catching = ({ feed }: { readonly feed: FeedState }) => (
  <div className="flex flex-col gap-2 p-3">
    <output className="text-xs text-muted">
      Replaying records: {count(feed.reach)} of {count(feed.total)}
    </output>
    <SkeletonRows rows={6} />
  </div>
);

export const RunPanes = ({ feed, entries, cursor, view, shown, unseen, names, protectedKeys, people, revealIn, note, actions }: Props) => {
  const { selected } = cursor;
  const [pane, setPane] = useState<PaneName>("records");
  const chosen = LISTED[view].includes(pane) ? pane : "records";
  const entry = entries[selected];
  const isThere = entry !== undefined && selected < feed.reach;
  const before = feed.timeline.stateAt(selected - 1);
  const after = feed.timeline.stateAt(selected);

  return (
    <>
      <PaneSwitch view={view} chosen={chosen} onChoose={setPane} />
      <div
        className={cn(
          "grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] overflow-x-auto max-md:min-h-[70dvh]",
          COLUMNS[view],
        )}
      >
        {isThere ? <RunPanels entries={entries} names={names} people={people} seq={selected} /> : null}
        <Pane title="Records" isChosen={chosen === "records"} aside={note}>
          <RecordList
            rows={feed.rows}
            total={feed.total}
            shown={shown}
            selected={selected}
            isFollowing={cursor.isFollowing}
            unseen={unseen}
            onSelect={(seq) => cursor.select(seq, "visit")}
            onFollow={cursor.follow}
            onLeaveTail={cursor.stay}
          />
        </Pane>
        {view === "diff" ? null : (
          <Pane title={`State after record ${selected}`} isChosen={chosen === "state"} aside={isThere ? actions : null}>
            {isThere ? (
              <StatePane
                entries={entries}
                names={names}
                state={after}
                seq={selected}
                protectedKeys={protectedKeys}
                people={people}
                revealIn={revealIn}
              />
            ) : (
              <Catching feed={feed} />
            )}
          </Pane>
        )}
        {view === "state" ? null : (
          <Pane title={`Changes in record ${selected}`} isChosen={chosen === "diff"} aside={isThere && view === "diff" ? actions : null}>
            {isThere ? (
              <DiffPane
                key={entry.seq}
                entries={entries}
                entry={entry}
                names={names}
                before={before}
                after={after}
                people={people}
                revealIn={revealIn}
              />
            ) : (
              <Catching feed={feed} />
            )}
          </Pane>
        )}
      </div>
    </>
  );
};
