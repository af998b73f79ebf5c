"use client";

import { GitFork, TriangleAlert, type LucideIcon } from "lucide-react";
import { useMemo, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { ReviewedShape, RefusedShape, TaintedShape, WaitingShape, type ShapeProps } from "@/components/ui/marks/shapes";
import type { RecordSummary } from "@/components/runs/record-summary";
import type { Tracks } from "@/components/runs/timeline";
import { count, formatMoney } from "@/lib/format";
import { closeArea, BUCKETS, listClearedBy, drawCost, HEIGHT, drawLane, formatLine, type LaneDrawing } from "./strip-drawing";

type Rows = readonly (RecordSummary | undefined)[];

type LaneProps = {
  readonly Shape: (props: ShapeProps) => ReactNode;
  readonly name: string;
  readonly said: string;
  readonly ink: string;
  readonly tall?: boolean;
  readonly children: ReactNode;
};

const LaneRow = ({ Shape, name, said, ink, tall = false, children }: LaneProps) => (
  <div className="grid grid-cols-[6.5rem_minmax(0,1fr)_11rem] items-center gap-2 max-sm:grid-cols-[5rem_minmax(0,1fr)]">
    <span className="flex items-center gap-1.5 text-xs text-muted">
      <span className={cn("flex w-3 justify-center", ink)}>
        <Shape className="size-3" />
      </span>
      {name}
    </span>
    <svg
      aria-hidden
      viewBox={`0 0 ${BUCKETS} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={cn("w-full bg-sunken/70", ink, tall ? "h-6" : "h-2.5")}
    >
      {children}
    </svg>
    <span className="tabular truncate text-xs text-muted max-sm:hidden" title={said}>
      {said}
    </span>
  </div>
);

const iconShape =
  (Icon: LucideIcon) =>
  ({ className }: ShapeProps) => <Icon aria-hidden className={className} />;
const ErrorShape = iconShape(TriangleAlert);
const ForkShape = iconShape(GitFork);

const CostShape = ({ className }: ShapeProps) => (
  <svg aria-hidden viewBox="0 0 12 12" className={className}>
    <path d="M1 10 H4 V7 H7 V4 H11" fill="none" stroke="currentColor" strokeWidth="1.5" />
  </svg>
);

const Bars = ({ lane }: { readonly lane: LaneDrawing }) => <path d={lane.path} fill="currentColor" />;

const taintSaid = (entered: number, now: number): string =>
  `${count(now)} now · entered in ${count(entered)} ${entered === 1 ? "record" : "records"}`;

const clearedSaid = (by: ReadonlyMap<string, number>): string => [...by].map(([actor, n]) => `${count(n)} by ${actor}`).join(", ");

type LanesProps = {
  readonly rows: Rows;
  readonly tracks: Tracks;
  readonly reach: number;
  readonly total: number;
  readonly budget: number | null;
};

const useLanes = ({ rows, tracks, reach, total, budget }: LanesProps) =>
  useMemo(() => {
    const tainted = tracks.tainted.slice(0, reach);

    return {
      refusal: drawLane(rows, "refusal", total),
      gate: drawLane(rows, "gate", total),
      error: drawLane(rows, "error", total),
      fork: drawLane(rows, "fork", total),
      entered: drawLane(rows, "tainted", total),
      cleared: drawLane(rows, "cleared", total),
      by: listClearedBy(rows),
      taint: closeArea(formatLine(tainted, total, Math.max(1, ...tainted) * 1.4)),
      cost: drawCost(tracks, total, budget),
    };
  }, [rows, tracks, reach, total, budget]);

const Lanes = (props: LanesProps & { readonly selected: number }) => {
  const { tracks, reach, budget, selected } = props;
  const lanes = useLanes(props);
  const at = Math.min(selected, reach - 1);
  const spent = tracks.costMicroUsd[at] ?? 0;
  const { budgetAt, line } = lanes.cost;

  return (
    <div className="flex flex-col gap-0.5">
      <LaneRow Shape={RefusedShape} name="Refusals" ink="text-refused" said={count(lanes.refusal.count)}>
        <Bars lane={lanes.refusal} />
      </LaneRow>
      <LaneRow Shape={WaitingShape} name="Gates" ink="text-waiting" said={count(lanes.gate.count)}>
        <Bars lane={lanes.gate} />
      </LaneRow>
      <LaneRow Shape={ErrorShape} name="Errors" ink="text-ink" said={count(lanes.error.count)}>
        <Bars lane={lanes.error} />
      </LaneRow>
      {lanes.fork.count === 0 ? null : (
        <LaneRow Shape={ForkShape} name="Forks" ink="text-accent" said={count(lanes.fork.count)}>
          <Bars lane={lanes.fork} />
        </LaneRow>
      )}
      <LaneRow Shape={TaintedShape} name="Taint" ink="text-tainted" tall said={taintSaid(lanes.entered.count, tracks.tainted[at] ?? 0)}>
        <path d={lanes.taint} fill="currentColor" opacity={0.28} />
        <g transform="translate(0 72) scale(1 0.28)">
          <Bars lane={lanes.entered} />
        </g>
      </LaneRow>
      {lanes.cleared.count === 0 ? null : (
        <LaneRow Shape={ReviewedShape} name="Reviewed" ink="text-reviewed" said={clearedSaid(lanes.by)}>
          <Bars lane={lanes.cleared} />
        </LaneRow>
      )}
      <LaneRow
        Shape={CostShape}
        name="Cost"
        ink="text-ink"
        tall
        said={budget === null ? `${formatMoney(spent)}, no budget` : `${formatMoney(spent)} of ${formatMoney(budget)}`}
      >
        <path d={line} fill="none" stroke="currentColor" strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
        {budgetAt === null ? null : (
          <path
            d={`M0 ${budgetAt}H${BUCKETS}`}
            className="text-refused"
            stroke="currentColor"
            strokeWidth={1}
            strokeDasharray="4 3"
            vectorEffect="non-scaling-stroke"
          />
        )}
      </LaneRow>
    </div>
  );
};

const PAGES = 20;

type Props = LanesProps & {
  readonly selected: number;
  readonly sentence: string;
  readonly onScrub: (seq: number) => void;
};

export const Strip = ({ selected, sentence, onScrub, ...lanes }: Props) => {
  const { total } = lanes;
  const last = Math.max(0, total - 1);
  const [isDragged, setIsDragged] = useState(false);
  const goTo = ({ clientX, currentTarget }: PointerEvent<HTMLDivElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    onScrub(Math.round(Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width))) * last));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.round(total / PAGES));
    const to = event.key === "PageDown" ? selected + page : event.key === "PageUp" ? selected - page : null;
    if (to === null) return;
    event.preventDefault();
    onScrub(Math.min(last, Math.max(0, to)));
  };

  return (
    <div className="relative shrink-0 border-b bg-surface px-6 py-2 max-sm:px-4">
      <Lanes {...lanes} selected={selected} />
      <div className="pointer-events-none absolute inset-x-6 inset-y-1 grid grid-cols-[6.5rem_minmax(0,1fr)_11rem] gap-2 max-sm:inset-x-4 max-sm:grid-cols-[5rem_minmax(0,1fr)]">
        <div
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a field would take the page's keys; the whole drawing is its track
          role="slider"
          tabIndex={0}
          aria-label="Record"
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={selected}
          aria-valuetext={sentence}
          data-dragged={isDragged || undefined}
          className="pointer-events-auto relative col-start-2 cursor-col-resize touch-none rounded-sm"
          onKeyDown={onKeyDown}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            setIsDragged(true);
            goTo(event);
          }}
          onPointerMove={(event) => (isDragged ? goTo(event) : undefined)}
          onPointerUp={() => setIsDragged(false)}
          onPointerCancel={() => setIsDragged(false)}
        >
          <span
            aria-hidden
            className="absolute inset-y-0 w-px bg-accent before:absolute before:-top-0.5 before:-left-1 before:size-2 before:rounded-full before:bg-accent"
            style={{ left: `${last === 0 ? 0 : (selected / last) * 100}%` }}
          />
        </div>
      </div>
    </div>
  );
};
