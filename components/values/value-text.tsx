import { cn } from "@/components/ui/cn";
import { HiddenShape } from "@/components/ui/marks/shapes";
import { displayJson } from "./json-display";
import { describeHidden, type Shown } from "./visible-value";

const HATCH = "repeating-linear-gradient(135deg, var(--line) 0 1px, transparent 1px 6px)";

/** In the narrowest column, a line has about 30 characters. */
const mayScroll = (text: string): boolean => text.length > 300 || text.split("\n").length > 12;

type Props = { readonly shown: Shown; readonly absent?: string; readonly className?: string | undefined };

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

  const text = displayJson(shown.value);

  return (
    <pre
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls takes the keyboard
      tabIndex={mayScroll(text) ? 0 : undefined}
      className={cn("max-h-64 overflow-auto font-mono text-xs break-words whitespace-pre-wrap text-ink", className)}
    >
      {text}
    </pre>
  );
};
