"use client";

import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement } from "react";

type Props = {
  /** Null: none. */
  readonly text: string | null;
  readonly children: ReactElement;
  readonly side?: "top" | "right" | "bottom" | "left";
};

/** Supplementary hover text, never the only source. */
export const Tooltip = ({ text, children, side = "top" }: Props) => (
  <Base.Root disabled={text === null}>
    <Base.Trigger render={children} delay={200} aria-description={text ?? undefined} />
    <Base.Portal>
      <Base.Positioner side={side} sideOffset={6} className="z-50">
        <Base.Popup className="max-w-72 rounded-md bg-ink px-2 py-1 text-xs text-canvas shadow-float transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0">
          {text}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
