import Link from "next/link";
import type { ReactNode } from "react";
import { cn } from "./cn";
import { EmptyState } from "./empty-state";
import { PageHeader } from "./page-header";

type NoAccessProps = {
  /** Follows "access to". */
  readonly to: string;
  /** Roles with access. */
  readonly who?: string | undefined;
};

export const NoAccess = ({ to, who }: NoAccessProps) => (
  <EmptyState kind="not_permitted" isPage title={`You don't have access to ${to}.`}>
    {who}
  </EmptyState>
);

type Props = {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly parent?: { readonly name: string; readonly href: string };
  /** Primary last. */
  readonly actions?: ReactNode;
  /** `who` is null: the reader has access. */
  readonly access?: { readonly to: string; readonly who: string | null };
  /** The content reaches the page's edges. */
  readonly isFlush?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

/** Page frame: header and content, or a no-access notice. */
export const Page = ({ parent, access, isFlush = false, className, children, ...header }: Props) => {
  if (access && access.who !== null) return <NoAccess to={access.to} who={access.who} />;
  const above = parent ? (
    <Link href={parent.href} className="hover:text-ink hover:underline">
      {parent.name}
    </Link>
  ) : null;

  return (
    <>
      <PageHeader above={above} {...header} />
      {isFlush ? children : <div className={cn("flex min-w-0 flex-col gap-4 p-6", className)}>{children}</div>}
    </>
  );
};

type SectionProps = { readonly id: string; readonly title: string; readonly children: ReactNode };

export const PageSection = ({ id, title, children }: SectionProps) => (
  <section aria-labelledby={id} className="flex flex-col gap-3 border-t p-6 first-of-type:border-t-0">
    <h2 id={id} className="text-base font-semibold">
      {title}
    </h2>
    {children}
  </section>
);
