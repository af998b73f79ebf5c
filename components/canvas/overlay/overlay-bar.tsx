"use client";

import { LabelMark } from "@/components/values/label-mark";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { formatAriaKeys } from "@/components/shortcuts/key-label";
import { cn } from "@/components/ui/cn";
import { Mark } from "@/components/ui/marks/mark";
import { INTEGRITIES } from "@/lib/graph/label";
import { countFlows, listFlowsFor, isLookedAt, type Counts } from "./current-flows";
import { OVERLAY_SPECS, OVERLAYS, type OverlayName } from "./overlays";
import { useOverlay, useUnreachable } from "./use-overlay";

const KEYS = ["v"];
const WORST_LAST = INTEGRITIES.toReversed();

/** Legend without an overlay. */
const ZoneLegend = () => (
  <>
    <span id="zone-legend">Lowest integrity written</span>
    <ul aria-labelledby="zone-legend" className="flex items-center gap-3">
      {WORST_LAST.map((integrity) => (
        <li key={integrity} className="flex">
          <LabelMark integrity={integrity} bare />
        </li>
      ))}
    </ul>
  </>
);

const UnreachableCount = () => {
  const { length } = useUnreachable();

  return length === 0 ? null : (
    <li className="flex">
      <Mark kind="waiting" bare>
        {length} unreachable
      </Mark>
    </li>
  );
};

const FlowLegend = ({ counts, isSecret }: { readonly counts: Counts; readonly isSecret: boolean }) => (
  <ul aria-label="Legend" className="flex items-center gap-3">
    <li className="flex">
      <Mark kind="refused" bare>
        {counts.open} {isSecret ? "not cleared" : "open"}
      </Mark>
    </li>
    {isSecret ? (
      <li className="flex">
        <Mark kind="hidden" bare>
          Receives secrets
        </Mark>
      </li>
    ) : (
      <>
        <li className="flex">
          <Mark kind="tainted" bare>
            {counts.noted} noted
          </Mark>
        </li>
        <li className="flex">
          <Mark kind="waiting" bare>
            {counts.held} gated
          </Mark>
        </li>
        <UnreachableCount />
      </>
    )}
  </ul>
);

const StandingLegend = ({ words }: { readonly words: readonly (readonly ["refused" | "tainted" | "waiting", string])[] }) => (
  <ul aria-label="Legend" className="flex items-center gap-3">
    {words.map(([kind, word]) => (
      <li key={word} className="flex">
        <Mark kind={kind} bare>
          {word}
        </Mark>
      </li>
    ))}
  </ul>
);

const AUTHORITY_WORDS = [
  ["refused", "Acts, no approval"],
  ["tainted", "Sends data outside"],
  ["waiting", "Needs approval"],
] as const;
const BLAST_RADIUS_WORDS = [
  ["refused", "Reached, no approval"],
  ["tainted", "Handles its data"],
  ["waiting", "Needs approval"],
] as const;

const Legend = ({ overlay, counts }: { readonly overlay: OverlayName | null; readonly counts: Counts }) => {
  switch (overlay) {
    case null:
      return <ZoneLegend />;
    case "taint":
      return <FlowLegend counts={counts} isSecret={false} />;
    case "secrets":
      return <FlowLegend counts={counts} isSecret />;
    case "authority":
      return <StandingLegend words={AUTHORITY_WORDS} />;
    case "hostile":
      return <StandingLegend words={BLAST_RADIUS_WORDS} />;
    default:
      return overlay satisfies never;
  }
};

type ChoiceProps = {
  readonly isChosen: boolean;
  readonly label: string;
  readonly about: string;
  readonly open: number;
  readonly onChoose: () => void;
};

const Choice = ({ isChosen, label, about, open, onChoose }: ChoiceProps) => (
  <button
    type="button"
    aria-pressed={isChosen}
    title={about}
    className={cn(
      "flex h-6 items-center gap-1.5 rounded-sm px-2 text-xs font-medium text-muted transition-colors hover:text-ink",
      isChosen && "bg-surface text-ink ring-1 ring-line-strong",
    )}
    onClick={onChoose}
  >
    {label}
    {open > 0 ? (
      <Mark kind="refused" bare>
        {open}
        <span className="sr-only"> open</span>
      </Mark>
    ) : null}
  </button>
);

export const OverlayBar = () => {
  const { overlay, setPlace } = useOverlay();
  const flows = useCanvas((state) => state.findings.flows);
  const isChecked = useCanvas(isLookedAt);
  const hasZones = useCanvas((state) => state.findings.zones.size > 0);
  const countsFor = (name: OverlayName) => countFlows(listFlowsFor(name, flows));
  const choose = (next: OverlayName | null) =>
    void setPlace(({ panel }) => ({
      overlay: next,
      flow: null,
      step: null,
      panel: next === null ? (panel === "overlay" ? "inspector" : panel) : "overlay",
    }));

  return (
    <div className="flex h-9 shrink-0 items-center gap-4 overflow-x-auto border-b bg-surface px-2">
      <fieldset
        aria-label="Overlays"
        aria-keyshortcuts={formatAriaKeys(KEYS)}
        className="flex shrink-0 items-center gap-0.5 rounded-md bg-sunken p-0.5 ring-1 ring-line ring-inset"
      >
        <Choice isChosen={overlay === null} label="Graph" about="The graph without an overlay." open={0} onChoose={() => choose(null)} />
        {OVERLAYS.map((name) => (
          <Choice
            key={name}
            isChosen={overlay === name}
            label={OVERLAY_SPECS[name].label}
            about={OVERLAY_SPECS[name].about}
            open={countsFor(name).open}
            onChoose={() => choose(name)}
          />
        ))}
      </fieldset>
      {(overlay === null && !hasZones) || !isChecked ? null : (
        <div className="flex shrink-0 items-center gap-3 text-xs text-muted">
          <Legend overlay={overlay} counts={overlay === null ? countFlows([]) : countsFor(overlay)} />
        </div>
      )}
    </div>
  );
};
