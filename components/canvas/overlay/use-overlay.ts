"use client";

import { useQueryStates } from "nuqs";
import { useDeferredValue, useMemo } from "react";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { canvasParams, type SetPlace } from "@/components/canvas/state/use-canvas-url";
import { computeBlast, flowsIn } from "@/lib/graph/analyse";
import type { BlastRadius, Subject } from "@/lib/graph/analyse/blast";
import type { Confidential, Flow } from "@/lib/graph/analyse/flows";
import { getFlowId } from "@/lib/graph/analyse/sinks";
import type { Graph } from "@/lib/graph/document";
import { listUnreachableEffects, type UnreachableEffect } from "@/lib/graph/problems/effects";
import { getFactsHere } from "./current-facts";
import { listFlowsFor, findFlowThrough } from "./current-flows";
import type { OverlayName } from "./overlays";
import { readSubject } from "./subject";

export type OverlayState = {
  readonly overlay: OverlayName | null;
  readonly flows: readonly Flow[];
  readonly chosen: Flow | null;
  readonly step: number | null;
  readonly subject: Subject;
  readonly setPlace: SetPlace;
};

/** Overlay state in the URL. */
export const useOverlay = (): OverlayState => {
  const [{ overlay, flow: id, step, hostile }, setPlace] = useQueryStates(canvasParams);
  const all = useCanvas((state) => state.findings.flows);
  const selection = useCanvas((state) => state.selection);
  const edges = useCanvas((state) => state.history.document.edges);
  const flows = useMemo(() => listFlowsFor(overlay, all), [overlay, all]);
  const chosen = flows.find((flow) => getFlowId(flow) === id) ?? findFlowThrough(flows, selection, edges);
  const [node] = selection.nodes;
  const named = hostile === null ? null : readSubject(hostile);
  const subject = named ?? (node === undefined ? { caller: true as const } : { node });

  return { overlay, flows, chosen, step: chosen && step !== null && step < chosen.witness.length ? step : null, subject, setPlace };
};

/** The last analysed document, as in the problems. */
const useChecked = (): Graph => useDeferredValue(useCanvas((state) => state.checked ?? state.history.document));

/** Confidential recipients; deferred while typing. */
export const useTold = (): Confidential["confided"] => {
  const document = useChecked();
  const catalog = useCanvas((state) => state.catalog);

  return useMemo(() => flowsIn(getFactsHere(document, catalog)).confided, [document, catalog]);
};

/** Unreachable effects; deferred while typing. */
export const useUnreachable = (): readonly UnreachableEffect[] => {
  const document = useChecked();
  const catalog = useCanvas((state) => state.catalog);

  return useMemo(() => listUnreachableEffects(getFactsHere(document, catalog)), [document, catalog]);
};

/** Blast radius; deferred while typing. */
export const useBlast = (subject: Subject): BlastRadius => {
  const document = useChecked();
  const catalog = useCanvas((state) => state.catalog);
  const key = JSON.stringify(subject);

  // By value: the subject is a new object each time.
  return useMemo(() => computeBlast(getFactsHere(document, catalog), JSON.parse(key) as Subject), [document, catalog, key]);
};
