import { ScanEye } from "lucide-react";
import { OVERLAY_SPECS, type OverlayName } from "./overlays";

/** Small, so other tabs stay in view. */
export const OverlayTab = ({ overlay }: { readonly overlay: OverlayName }) => (
  <>
    <ScanEye aria-hidden className="size-4" />
    <span className="sr-only">{OVERLAY_SPECS[overlay].label}</span>
  </>
);
