"use client";

import { OverlayMarkers } from "@/components/canvas/flow/overlay-markers";
import { OverlayBar } from "./overlay-bar";
import { OverlayLayer } from "./overlay-layer";

export const Overlay = () => (
  <>
    <OverlayBar />
    <OverlayLayer />
    <OverlayMarkers />
  </>
);
