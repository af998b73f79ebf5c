import type { ReactNode } from "react";
import { cn } from "./cn";
import { MARKS, type MarkKind } from "./marks/marks";

type Props = {
  readonly kind: MarkKind;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  /** Announced on mount. */
  readonly alert?: boolean;
  readonly className?: string | undefined;
};

export const Callout = ({ kind, title, children, alert = false, className }: Props) => {
  const { Shape, ink, soft } = MARKS[kind];

  return (
    <div role={alert ? "alert" : undefined} className={cn("flex gap-2 rounded-md px-3 py-2 text-sm", soft, className)}>
      <Shape className={cn("mt-1 size-3 shrink-0", ink)} />
      <div className="min-w-0 flex-1">
        <p className={cn("font-medium", ink)}>{title}</p>
        {children ? <div className="text-ink">{children}</div> : null}
      </div>
    </div>
  );
};
