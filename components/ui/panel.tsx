import { useId, type ReactNode } from "react";
import { cn } from "./cn";

type Props = {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string | undefined;
  readonly bodyClassName?: string | undefined;
};

export const Panel = ({ title, actions, children, className, bodyClassName }: Props) => {
  const headingId = useId();

  return (
    <section {...(title ? { "aria-labelledby": headingId } : {})} className={cn("overflow-hidden rounded-lg border bg-surface", className)}>
      {title ? (
        <header className="flex min-h-10 items-center gap-3 border-b px-3 py-1.5">
          <h2 id={headingId} className="min-w-0 flex-1 truncate text-sm font-semibold max-sm:whitespace-normal">
            {title}
          </h2>
          {actions}
        </header>
      ) : null}
      <div className={bodyClassName}>{children}</div>
    </section>
  );
};
