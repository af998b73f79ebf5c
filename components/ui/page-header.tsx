import type { ReactNode } from "react";

type Props = {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly above?: ReactNode;
  /** Primary last. */
  readonly actions?: ReactNode;
};

/** Header with the `h1`. */
export const PageHeader = ({ title, description, above, actions }: Props) => (
  <header className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b bg-surface px-6 py-3 max-sm:px-4">
    <div className="min-w-0 flex-[1_1_16rem] max-sm:basis-full">
      {above ? <div className="text-xs text-muted">{above}</div> : null}
      <h1 className="truncate text-lg font-semibold max-sm:whitespace-normal">{title}</h1>
      {description ? <p className="text-sm text-muted">{description}</p> : null}
    </div>
    {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
  </header>
);
