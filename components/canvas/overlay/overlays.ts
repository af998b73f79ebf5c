/** The ways to look at a graph besides the plain one. */
export const OVERLAYS = ["taint", "secrets", "authority", "hostile"] as const;
export type OverlayName = (typeof OVERLAYS)[number];

type Spec = { readonly label: string; readonly about: string };

export const OVERLAY_SPECS: Record<OverlayName, Spec> = {
  taint: { label: "Taint", about: "What comes from outside, how far it gets, and who is asked on the way." },
  secrets: { label: "Secrets", about: "Who is told something secret or personal, and what is not cleared for it." },
  authority: { label: "Authority", about: "What each node may do, and whether a person is asked first." },
  hostile: { label: "Hostile", about: "What one of them could do if whoever speaks there wanted the worst." },
};

/** The next one; after the last comes the plain graph. */
export const nextOverlay = (overlay: OverlayName | null): OverlayName | null =>
  overlay === null ? OVERLAYS[0] : (OVERLAYS[OVERLAYS.indexOf(overlay) + 1] ?? null);
