import { ArrowRight, Cpu, Flag, Plug, TriangleAlert, type LucideIcon } from "lucide-react";
import { Mark } from "@/components/ui/marks/mark";
import type { MarkKind } from "@/components/ui/marks/marks";
import type { Marker } from "@/lib/engine/events/event-entry";

type Spec = { readonly mark: MarkKind } | { readonly icon: LucideIcon };

const MARKERS = {
  refusal: { mark: "refused" },
  malformed: { mark: "refused" },
  rejected: { mark: "refused" },
  gate: { mark: "waiting" },
  approved: { mark: "reviewed" },
  effect: { icon: Plug },
  model: { icon: Cpu },
  failure: { icon: TriangleAlert },
  end: { icon: Flag },
  step: { icon: ArrowRight },
} as const satisfies Record<Marker, Spec>;

export const RecordIcon = ({ marker }: { readonly marker: Marker }) => {
  const spec: Spec = MARKERS[marker];
  if ("mark" in spec) return <Mark kind={spec.mark} shapeOnly />;
  const Icon = spec.icon;

  return <Icon aria-hidden className="size-3 text-faint" />;
};
