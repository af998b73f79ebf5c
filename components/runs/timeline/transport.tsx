"use client";

import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, Link2, Pause, Play as PlayIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { count } from "@/lib/format";
import { SPEEDS, type Play } from "./use-play";

type Props = {
  readonly selected: number;
  readonly total: number;
  readonly play: Play;
  readonly onStep: (step: 1 | -1) => void;
  readonly onInteresting: (step: 1 | -1) => void;
  readonly onCopyLink: () => void;
  readonly children: ReactNode;
};

export const Transport = ({ selected, total, play, onStep, onInteresting, onCopyLink, children }: Props) => (
  <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b bg-surface px-6 py-1.5 max-sm:px-4">
    <fieldset aria-label="Navigate records" className="flex items-center">
      <Button size="icon" variant="ghost" aria-label="Previous notable record" onClick={() => onInteresting(-1)}>
        <ChevronsLeft aria-hidden />
      </Button>
      <Button size="icon" variant="ghost" aria-label="Previous record" onClick={() => onStep(-1)}>
        <ChevronLeft aria-hidden />
      </Button>
      <Button size="icon" variant="secondary" aria-label={play.isPlaying ? "Pause" : "Play"} onClick={play.toggle}>
        {play.isPlaying ? <Pause aria-hidden /> : <PlayIcon aria-hidden />}
      </Button>
      <Button size="icon" variant="ghost" aria-label="Next record" onClick={() => onStep(1)}>
        <ChevronRight aria-hidden />
      </Button>
      <Button size="icon" variant="ghost" aria-label="Next notable record" onClick={() => onInteresting(1)}>
        <ChevronsRight aria-hidden />
      </Button>
    </fieldset>
    <fieldset aria-label="Speed" className="flex items-center rounded-md ring-1 ring-line ring-inset">
      {SPEEDS.map((speed) => (
        <button
          key={speed}
          type="button"
          aria-pressed={play.speed === speed}
          onClick={() => play.setSpeed(speed)}
          className={cn(
            "tabular h-6 rounded-md px-1.5 text-xs text-muted hover:text-ink",
            play.speed === speed && "bg-sunken font-medium text-ink",
          )}
        >
          {speed}×
        </button>
      ))}
    </fieldset>
    <p className="tabular text-xs whitespace-nowrap text-muted">
      Record <span className="font-medium text-ink">{count(selected)}</span> of {count(Math.max(0, total - 1))}
    </p>
    <Button size="icon" variant="ghost" aria-label="Copy link to this record" onClick={onCopyLink}>
      <Link2 aria-hidden />
    </Button>
    <div className="ml-auto flex items-center gap-2 max-sm:ml-0">{children}</div>
  </div>
);
