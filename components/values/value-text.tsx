import { cn } from "@/components/ui/cn";
import { HiddenShape } from "@/components/ui/marks/shapes";
import { displayJson } from "./json-display";
import { describeHidden, type Shown } from "./visible-value";

const HATCH = "repeating-linear-gradient(135deg, var(--line) 0 1px, transparent 1px 6px)";

type Props = { readonly shown: Shown; readonly absent?: string; readonly className?: string | undefined };

/** Plain text, or a hatch for hidden values. */
export const ShownValue = ({ shown, absent = "nothing", className }: Props) => {
  if (shown.kind === "absent") return <span className={cn("text-xs text-faint", className)}>{absent}</span>;
  if (shown.kind === "hidden" || shown.kind === "shredded") {
    return (
      <span
        data-hidden-value
        style={{ backgroundImage: HATCH }}
        className={cn("inline-flex items-center gap-1 rounded-sm bg-hidden-soft px-1.5 py-0.5 text-xs text-hidden", className)}
      >
        <HiddenShape className="size-3 shrink-0" />
        {describeHidden(shown)}
      </span>
    );
  }

  return (
    <pre className={cn("max-h-64 overflow-auto font-mono text-xs break-words whitespace-pre-wrap text-ink", className)}>
      {displayJson(shown.value)}
    </pre>
  );
};
