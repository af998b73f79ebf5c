import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { MARKS, type MarkKind } from "@/components/ui/marks/marks";

type Props = {
  readonly kind: MarkKind;
  readonly title: string;
  /** Interrupts screen readers. */
  readonly alert?: boolean;
  readonly children: ReactNode;
  readonly actions: ReactNode;
};

/** Keeps focus in the page when a bar disappears. */
export const focusContent = (): void => document.getElementById("main")?.focus();

/** Save notice that takes no focus. */
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
