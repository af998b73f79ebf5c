"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import { useCallback, useMemo, useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { SkeletonRows } from "@/components/ui/skeleton";
import { notify } from "@/components/ui/toast";
import { toApiError } from "@/components/trpc/api-error";
import type { RunState } from "@/lib/engine/state";
import type { Entry } from "./entries";
import type { FeedState } from "./feed/feed";
import { formatNodeTitle, type NodeNames } from "./node-names";
import { getOutermostNode } from "./places";
import { INTERESTING } from "./record-tags";
import { RunPanes } from "./run-panes";
import { FilterBar } from "./timeline/filter-bar";
import { filterCounts, findNext, listShownBy, type RecordFilter } from "./timeline/filters";
import { PinBar } from "./timeline/pin-bar";
import { PinContext } from "./timeline/pin-context";
import { listChanges, getPinnedAt } from "./timeline/pins";
import { RunMap } from "./timeline/run-map";
import { Strip } from "./timeline/strip";
import { Transport } from "./timeline/transport";
import { usePlay } from "./timeline/use-play";
import { useTimelineAddress } from "./timeline/use-timeline-address";
import { useTimelineKeys, type TimelineActions } from "./timeline/use-timeline-keys";
import type { RunGraph } from "./types";
import type { RecordCursor } from "./use-record-cursor";

type Props = {
  readonly feed: FeedState;
  readonly cursor: RecordCursor;
  readonly graph: RunGraph;
  readonly names: NodeNames;
  readonly people: Readonly<Record<string, string>>;
  readonly revealIn: string | null;
  readonly note: ReactNode;
  /** State after the record, and the initial state. */
  readonly renderActions: (seq: number, state: RunState, begun: RunState) => ReactNode;
};

const sentenceOf = ({ rows }: FeedState, seq: number): string => {
  const row = rows[seq];

  return row ? `Record ${seq}: ${row.title}${row.node === null ? "" : ` in ${row.node}`}` : `Record ${seq}`;
};

const seqsWith = ({ rows }: FeedState, tags: readonly string[]): readonly number[] =>
  rows.flatMap((row) => (row?.tags.some((tag) => tags.includes(tag)) ? [row.seq] : []));

const useEntries = ({ entries, reach }: FeedState): readonly Entry[] =>
  useMemo(() => entries.slice(0, reach).flatMap((entry) => entry ?? []), [entries, reach]);

const copyLink = async (seq: number, link: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(link);
    notify({ title: `Link to record ${seq} copied` });
  } catch {
    notify({ tone: "error", title: `The link could not be copied. Copy it from here: ${link}` });
  }
};

/** Disabled buttons explain themselves. */
const press = (selector: string): void => document.querySelector<HTMLButtonElement>(selector)?.click();

export const RunTimeline = ({ feed, cursor, graph, names, people, revealIn, note, renderActions }: Props) => {
  const { selected } = cursor;
  const { timeline, rows, total, reach } = feed;
  const { tracks } = timeline;
  const address = useTimelineAddress();
  const { filter, pins, view } = address;
  const entries = useEntries(feed);
  const play = usePlay(cursor, total - 1);
  const [isMapOpen, setIsMapOpen] = useState(true);
  const [left, setLeft] = useState<number | null>(null);
  const shown = useMemo(() => (filter === null ? null : listShownBy(rows, filter)), [rows, filter]);
  const counts = useMemo(() => filterCounts(rows), [rows]);
  const interesting = useMemo(() => seqsWith(feed, INTERESTING), [feed]);
  const refusals = useMemo(() => seqsWith(feed, ["refusal"]), [feed]);
  const changes = useMemo(
    () => new Map(pins.map((path) => [path, reach === 0 ? [] : listChanges(tracks.writes, path)])),
    [pins, tracks, reach],
  );
  const protectedKeys = useMemo(() => new Set(graph.memory.filter((key) => key.protected).map((key) => key.key)), [graph]);
  const pinning = useMemo(() => ({ pins, toggle: address.togglePin }), [pins, address.togglePin]);
  const stay = useCallback(() => {
    setLeft(total);
    cursor.stay();
  }, [cursor, total]);
  const goTo = useCallback(
    (seq: number | null, mode: "visit" | "pass" = "visit") => {
      if (seq === null) return;
      setLeft((known) => (cursor.isFollowing ? total : known));
      cursor.select(seq, mode);
    },
    [cursor, total],
  );
  const step = useCallback(
    (by: 1 | -1) => goTo(shown === null ? selected + by : findNext(shown, selected, by), "pass"),
    [goTo, shown, selected],
  );
  const actions = useMemo((): TimelineActions => {
    const wroteHere = rows[selected]?.paths[0];
    const allChanges = [...new Set([...changes.values()].flat())].toSorted((a, b) => a - b);

    return {
      step,
      interesting: (by) => goTo(findNext(interesting, selected, by)),
      nextRefusal: () => goTo(findNext(refusals, selected, 1)),
      first: () => goTo(0),
      follow: cursor.follow,
      play: play.toggle,
      pin: () => {
        const focused = document.activeElement?.closest("li")?.querySelector<HTMLElement>("[data-pin]")?.dataset["pin"];
        const path = focused ?? wroteHere;
        if (path !== undefined) address.togglePin(path);
        else notify({ title: "This record wrote no path to pin" });
      },
      change: (by) => goTo(findNext(allChanges, selected, by)),
      diff: () => address.setView(view === "diff" ? "both" : "diff"),
      copyLink: () => void copyLink(selected, address.linkTo(selected)),
      fork: () => press('[data-shortcut="fork"]'),
    };
  }, [step, goTo, rows, selected, changes, interesting, refusals, cursor, play.toggle, address, view]);
  useTimelineKeys(actions);

  const then = timeline.stateAt(selected);
  const isThere = selected < reach;
  if (total === 0 || (rows.length === 0 && feed.error !== null)) {
    return feed.error === null ? (
      <EmptyState kind="nothing_yet" title="No records yet">
        The run is waiting for a runner. Records appear here as they are written.
      </EmptyState>
    ) : (
      <EmptyState kind="failed" title="The records could not be loaded" requestId={toApiError(feed.error).requestId}>
        Retrying automatically.
      </EmptyState>
    );
  }
  if (rows.length === 0) return <SkeletonRows rows={12} />;
  const before = timeline.stateAt(selected - 1);
  const acting = isThere ? (before.frames[0]?.node ?? then.frames[0]?.node ?? entries[selected]?.record?.node ?? then.currentNode) : null;
  const MapIcon = isMapOpen ? ChevronDown : ChevronRight;
  const setFilter = (next: RecordFilter | null) => address.setFilter(next);

  return (
    <PinContext value={pinning}>
      <Transport
        selected={selected}
        total={total}
        play={play}
        onStep={step}
        onInteresting={actions.interesting}
        onCopyLink={actions.copyLink}
      >
        <FilterBar
          filter={filter}
          counts={counts}
          total={total}
          shown={shown?.length ?? total}
          nodeName={(id) => formatNodeTitle(names, [], id)}
          onFilter={setFilter}
        />
        <Button size="sm" variant="ghost" className="max-sm:hidden" aria-expanded={isMapOpen} onClick={() => setIsMapOpen(!isMapOpen)}>
          <MapIcon aria-hidden />
          Graph
        </Button>
      </Transport>
      <Strip
        rows={rows}
        tracks={tracks}
        reach={reach}
        total={total}
        budget={timeline.stateAt(0).start?.budget_micro_usd ?? null}
        selected={selected}
        sentence={sentenceOf(feed, selected)}
        onScrub={(seq) => goTo(seq, "pass")}
      />
      {isMapOpen ? (
        <RunMap
          graph={graph}
          tracks={tracks}
          seq={selected}
          active={acting}
          waiting={isThere && then.status === "waiting" ? getOutermostNode(then) : null}
          onOpen={(node) => setFilter({ by: "node", node })}
        />
      ) : null}
      <PinBar
        pinned={isThere ? pins.map((path) => getPinnedAt(path, changes.get(path) ?? [], then, selected)) : []}
        rowOf={(seq) => rows[seq]}
        onGo={goTo}
        onUnpin={address.togglePin}
      />
      <RunPanes
        feed={feed}
        entries={entries}
        cursor={{ ...cursor, select: goTo, stay }}
        view={view}
        shown={shown}
        unseen={cursor.isFollowing || left === null ? 0 : Math.max(0, total - left)}
        names={names}
        protectedKeys={protectedKeys}
        people={people}
        revealIn={revealIn}
        note={note}
        actions={isThere ? renderActions(selected, then, timeline.stateAt(0)) : null}
      />
    </PinContext>
  );
};
