"use client";

import { AuthorityPanel } from "./authority-panel";
import { FlowPanel } from "./flow-panel";
import { BlastRadiusPanel } from "./blast-radius-panel";
import { OVERLAY_SPECS, type OverlayName } from "./overlays";
import { useOverlay, type OverlayState } from "./use-overlay";

const Content = ({ state, overlay }: { readonly state: OverlayState; readonly overlay: OverlayName }) => {
  switch (overlay) {
    case "taint":
    case "secrets":
      return <FlowPanel {...state} />;
    case "authority":
      return <AuthorityPanel />;
    case "hostile":
      return <BlastRadiusPanel {...state} />;
    default:
      return overlay satisfies never;
  }
};

export const OverlayPanel = () => {
  const state = useOverlay();
  if (state.overlay === null) return null;

  return (
    <>
      <p className="border-b px-3 py-2 text-xs text-muted">{OVERLAY_SPECS[state.overlay].about}</p>
      <Content state={state} overlay={state.overlay} />
    </>
  );
};
