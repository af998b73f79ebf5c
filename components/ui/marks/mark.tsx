import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { MARKS, type MarkKind } from "./marks";

type Props = {
  readonly kind: MarkKind;
  /** Replaces the default label. */
  readonly children?: ReactNode;
  /** Hides the label visually. */
  readonly shapeOnly?: boolean;
  /** Without background, for text and cells. */
  readonly bare?: boolean;
  readonly className?: string | undefined;
};

export const Mark = ({ kind, children, shapeOnly = false, bare = false, className }: Props) => {
  const { Shape, label, ink, soft } = MARKS[kind];
  const text = children ?? label;

  return (
    <span
      data-mark={kind}
      className={cn(
        "inline-flex items-center gap-1 text-xs font-medium whitespace-nowrap",
        ink,
        !bare && !shapeOnly && cn("h-5 rounded-sm px-1.5", soft),
        className,
      )}
    >
      <Shape className="size-3 shrink-0" />
      {shapeOnly ? <span className="sr-only">{text}</span> : text}
    </span>
  );
};
