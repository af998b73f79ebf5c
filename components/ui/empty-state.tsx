import { CircleAlert, Inbox, Lock, SearchX, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./cn";

export type EmptyKind = "nothing_yet" | "no_match" | "not_permitted" | "failed";

const ICONS = { nothing_yet: Inbox, no_match: SearchX, not_permitted: Lock, failed: CircleAlert } as const satisfies Record<
  EmptyKind,
  LucideIcon
>;

type Props = {
  readonly kind: EmptyKind;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** Finds the request in the log. */
  readonly requestId?: string | null | undefined;
  readonly className?: string | undefined;
  /** Its title is the `h1`. */
  readonly isPage?: boolean;
};

export const EmptyState = ({ kind, title, children, action, requestId, className, isPage = false }: Props) => {
  const Icon = ICONS[kind];
  const Title = isPage ? "h1" : "p";

  return (
    <div
      role={kind === "failed" ? "alert" : undefined}
      className={cn("flex flex-col items-center justify-center gap-1 px-6 py-12 text-center", className)}
    >
      <Icon aria-hidden className={cn("mb-2 size-5", kind === "failed" ? "text-refused" : "text-faint")} />
      <Title className="text-base font-medium">{title}</Title>
      {children ? <div className="max-w-md text-sm text-muted">{children}</div> : null}
      {requestId ? <p className="font-mono text-xs text-faint">Request {requestId}</p> : null}
      {action ? <div className="mt-3">{action}</div> : null}
    </div>
  );
};
