"use client";

import { useState, type KeyboardEvent, type PointerEvent } from "react";

const STEP_PX = 24;

type Props = {
  readonly label: string;
  readonly widthPx: number;
  readonly minPx: number;
  readonly maxPx: number;
  readonly onResize: (widthPx: number) => void;
};

/** Left edge of a panel on the right; drag it or use the arrow keys. */
export const ResizeHandle = ({ label, widthPx, minPx, maxPx, onResize }: Props) => {
  const [grabbed, setGrabbed] = useState<{ readonly x: number; readonly widthPx: number } | null>(null);
  const resize = (next: number) => onResize(Math.min(maxPx, Math.max(minPx, Math.round(next))));
  const release = () => setGrabbed(null);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a focusable separator is a widget
    <hr
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a focusable separator is a widget
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuemin={minPx}
      aria-valuemax={maxPx}
      aria-valuenow={widthPx}
      className="relative z-1 -mr-1.5 h-auto w-1.5 shrink-0 cursor-col-resize touch-none border-t-0 border-l transition-colors hover:border-accent focus-visible:border-accent max-md:hidden"
      onKeyDown={({ key }: KeyboardEvent) => {
        if (key === "ArrowLeft") resize(widthPx + STEP_PX);
        if (key === "ArrowRight") resize(widthPx - STEP_PX);
      }}
      onPointerDown={(event: PointerEvent<HTMLHRElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setGrabbed({ x: event.clientX, widthPx });
      }}
      onPointerMove={({ clientX }) => (grabbed ? resize(grabbed.widthPx + grabbed.x - clientX) : undefined)}
      onPointerUp={release}
      onPointerCancel={release}
    />
  );
};
