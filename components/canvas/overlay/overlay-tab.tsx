import { ScanEye } from "lucide-react";
import { OVERLAY_SPECS, type OverlayName } from "./overlays";

/** Small, so that the other panels stay in view beside it; its name is on the bar above the drawing. */
export const OverlayTab = ({ overlay }: { readonly overlay: OverlayName }) => (
  <>
    <ScanEye aria-hidden className="size-4" />
    <span className="sr-only">{OVERLAY_SPECS[overlay].label}</span>
  </>
);
