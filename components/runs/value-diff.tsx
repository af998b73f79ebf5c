import { cn } from "@/components/ui/cn";
import { displayJson } from "@/components/values/json-display";
import { ShownValue } from "@/components/values/value-text";
import type { Shown } from "@/components/values/visible-value";
import { diffLines, type DiffLine } from "./diff-lines";

const LOOKS = {
  same: { sign: " ", said: "", style: "text-muted" },
  removed: { sign: "-", said: "Only in run A: ", style: "bg-refused-soft text-ink" },
  added: { sign: "+", said: "Only in run B: ", style: "bg-clean-soft text-ink" },
} as const satisfies Record<DiffLine["kind"], { sign: string; said: string; style: string }>;

type Props = { readonly a: Shown; readonly b: Shown };

export const ValueDiff = ({ a, b }: Props) => {
  if (a.kind === "hidden" || a.kind === "shredded" || b.kind === "hidden" || b.kind === "shredded") {
    return (
      <span className="flex flex-wrap gap-3">
        <ShownValue shown={a} />
        <ShownValue shown={b} />
      </span>
    );
  }
  const text = (shown: Extract<Shown, { kind: "absent" | "value" }>): string => (shown.kind === "absent" ? "" : displayJson(shown.value));
  const lines = diffLines(text(a), text(b));

  return (
    <pre
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls takes the keyboard
      tabIndex={0}
      className="max-h-64 min-w-0 overflow-auto rounded-md border font-mono text-xs break-words whitespace-pre-wrap"
    >
      {lines.map(({ kind, text: line }, index) => {
        const { sign, said, style } = LOOKS[kind];

        return (
          <span key={`${index} ${kind}`} data-diff={kind} className={cn("block px-2", style)}>
            <span aria-hidden>{sign} </span>
            <span className="sr-only">{said}</span>
            {line}
          </span>
        );
      })}
    </pre>
  );
};
