"use client";

import { useDeferredValue, useEffect, useMemo } from "react";
import { NO_DECORATIONS, type Decorations } from "@/components/canvas/flow/decoration";
import { useCanvas, useCanvasStore, useDocument } from "@/components/canvas/state/canvas-context";
import { decorateAuthority } from "./authority";
import { getFactsHere } from "./current-facts";
import { isLookedAt } from "./current-flows";
import { decorateFlows, decorateFlow, withTold, withUnreachable } from "./flow-decorations";
import { blastRadiusDecorations } from "./blast-radius-decorations";
import { useBlast, useOverlay, useTold, useUnreachable, type OverlayState } from "./use-overlay";

const Laid = ({ decorations }: { readonly decorations: Decorations }) => {
  const store = useCanvasStore();
  useEffect(() => store.getState().set({ decorations }), [store, decorations]);
  useEffect(() => () => store.getState().set({ decorations: NO_DECORATIONS }), [store]);

  return null;
};

const Flows = ({ flows, chosen, step }: OverlayState) => {
  const document = useDocument();
  const unreachable = useUnreachable();
  const decorations = useMemo(
    () => withUnreachable(chosen ? decorateFlow(document, chosen, step) : decorateFlows(document, flows), unreachable),
    [document, flows, chosen, step, unreachable],
  );

  return <Laid decorations={decorations} />;
};

const Secrets = ({ flows, chosen, step }: OverlayState) => {
  const document = useDocument();
  const told = useTold();
  const decorations = useMemo(
    () => (chosen ? decorateFlow(document, chosen, step) : withTold(decorateFlows(document, flows), told)),
    [document, flows, chosen, step, told],
  );

  return <Laid decorations={decorations} />;
};

const Authority = () => {
  const document = useDeferredValue(useDocument());
  const catalog = useCanvas((state) => state.catalog);
  const decorations = useMemo(() => decorateAuthority(getFactsHere(document, catalog)), [document, catalog]);

  return <Laid decorations={decorations} />;
};

const BlastRadiusOverlay = ({ subject }: Pick<OverlayState, "subject">) => {
  const document = useDocument();
  const blast = useBlast(subject);
  const decorations = useMemo(() => blastRadiusDecorations(document, blast), [document, blast]);

  return <Laid decorations={decorations} />;
};

export const OverlayLayer = () => {
  const state = useOverlay();
  const isChecked = useCanvas(isLookedAt);
  switch (state.overlay) {
    case "taint":
      // Unchecked nodes must not look harmless.
      return isChecked ? <Flows {...state} /> : null;
    case "secrets":
      return isChecked ? <Secrets {...state} /> : null;
    case "authority":
      return <Authority />;
    case "hostile":
      return <BlastRadiusOverlay subject={state.subject} />;
    case null:
      return null;
    default:
      return state.overlay satisfies never;
  }
};
