import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { MARKS, type MarkKind } from "@/components/ui/marks/marks";

type Props = {
  readonly kind: MarkKind;
  /** What it is about, before the sentence. */
  readonly title: string;
  /** Interrupts a screen reader; without it the text waits its turn. */
  readonly alert?: boolean;
  readonly children: ReactNode;
  /** Buttons; the one that is most likely wanted last. */
  readonly actions: ReactNode;
};

/** A bar goes with the button that was pressed in it: the keyboard goes on in the page, not at its very beginning. */
export const focusContent = (): void => document.getElementById("main")?.focus();

/** One line above the canvas about what is not saved: it takes no focus and hides nothing. */
export const Bar = ({ kind, title, alert = false, children, actions }: Props) => {
  const { Shape, ink, soft } = MARKS[kind];

  return (
    <section aria-label={title} className={cn("flex items-center gap-3 border-b px-4 py-1.5 text-sm max-lg:flex-wrap", soft)}>
      <Shape className={cn("size-3 shrink-0", ink)} />
      <p role={alert ? "alert" : "status"} className="min-w-0 flex-1 text-ink">
        <strong className={cn("font-medium", ink)}>{title}.</strong> {children}
      </p>
      <div className="flex shrink-0 gap-2">{actions}</div>
    </section>
  );
};
