export const OVERLAYS = ["taint", "secrets", "authority", "hostile"] as const;
export type OverlayName = (typeof OVERLAYS)[number];

type Spec = { readonly label: string; readonly about: string };

export const OVERLAY_SPECS: Record<OverlayName, Spec> = {
  taint: { label: "Taint", about: "Where untrusted data goes, and where an approval is needed." },
  secrets: { label: "Secrets", about: "Which nodes receive secret or personal data, and which are not cleared for it." },
  authority: { label: "Authority", about: "What each node may do, and whether it needs an approval." },
  hostile: { label: "Blast radius", about: "What a compromised agent, server or caller could do before the first approval." },
};

/** Next overlay; null after the last. */
export const getNextOverlay = (overlay: OverlayName | null): OverlayName | null =>
  overlay === null ? OVERLAYS[0] : (OVERLAYS[OVERLAYS.indexOf(overlay) + 1] ?? null);
