"use client";

import { Panel } from "@xyflow/react";
import { LabelMark } from "@/components/runs/label-mark";
import { INTEGRITIES } from "@/lib/graph/label";

const WORST_LAST = INTEGRITIES.toReversed();

/** What the marks on the nodes say. */
export const ZoneLegend = () => (
  <Panel position="top-left" className="m-2!">
    <div className="flex items-center gap-3 rounded-md border bg-surface px-2 py-1 text-xs text-muted">
      <span id="zone-legend">Writes, at worst</span>
      <ul aria-labelledby="zone-legend" className="flex items-center gap-3">
        {WORST_LAST.map((integrity) => (
          <li key={integrity} className="flex">
            <LabelMark integrity={integrity} bare />
          </li>
        ))}
      </ul>
    </div>
  </Panel>
);
