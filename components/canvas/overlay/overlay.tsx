"use client";

import { OverlayMarkers } from "@/components/canvas/flow/overlay-markers";
import { OverlayBar } from "./overlay-bar";
import { OverlayLayer } from "./overlay-layer";

/** Stands above a drawing: what can be laid over it, and what is. */
export const Overlay = () => (
  <>
    <OverlayBar />
    <OverlayLayer />
    <OverlayMarkers />
  </>
);
