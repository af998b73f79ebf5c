import { Circle, CircleHelp, OctagonAlert, TriangleAlert, type LucideIcon } from "lucide-react";
import { cn } from "@/components/ui/cn";
import type { AuthorityClass, Risk } from "@/lib/engine/approvals/authority-class";

export const RISK_MARKS = {
  low: { Shape: Circle, word: "Low", ink: "text-muted" },
  medium: { Shape: TriangleAlert, word: "Medium", ink: "text-ink" },
  high: { Shape: OctagonAlert, word: "High", ink: "font-semibold text-ink" },
} as const satisfies Record<Risk, { Shape: LucideIcon; word: string; ink: string }>;

export const RiskMark = ({ risk }: { readonly risk: Risk | null }) => {
  const { Shape, word, ink } = risk === null ? { Shape: CircleHelp, word: "Unknown", ink: "text-muted" } : RISK_MARKS[risk];

  return (
    <span className={cn("inline-flex items-center gap-1 align-middle text-xs whitespace-nowrap", ink)}>
      <Shape aria-hidden className="size-3.5 shrink-0" />
      {word} <span className="sr-only">risk</span>
    </span>
  );
};

export const RISK_WORD = { low: "Low risk", medium: "Medium risk", high: "High risk" } as const satisfies Record<Risk, string>;

export const AUTHORITY_WORD = {
  none: "No authority change",
  read: "Reads outside the run",
  write: "Writes outside the run",
  protected: "Changes protected or trusted data",
  irreversible: "Cannot be undone",
} as const satisfies Record<AuthorityClass, string>;
