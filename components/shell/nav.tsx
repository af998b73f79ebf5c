"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { cn } from "@/components/ui/cn";
import { CountBadge } from "@/components/ui/count-badge";
import { Tooltip } from "@/components/ui/tooltip";
import { explainDenial, type Role } from "@/lib/roles";
import { DESTINATIONS, type Destination } from "./destinations";

const rowStyle = "flex h-8 max-md:h-11 items-center gap-2 rounded-md px-2 text-sm transition-colors";

const isAt = (pathname: string, href: string): boolean =>
  href === "/" ? pathname === "/" : pathname === href || pathname.startsWith(`${href}/`);

type EntryProps = {
  readonly destination: Destination;
  readonly role: Role;
  readonly auditor: boolean;
  readonly isCurrent: boolean;
  readonly waiting: number;
};

const Entry = ({ destination, role, auditor, isCurrent, waiting }: EntryProps) => {
  const { href, label, icon: Icon, permission } = destination;
  const reason = permission === null ? null : explainDenial(role, permission, auditor);
  if (reason !== null) {
    return (
      <Tooltip text={reason} side="right">
        <button type="button" aria-disabled className={cn(rowStyle, "w-full text-faint")}>
          <Icon aria-hidden className="size-4" />
          {label}
        </button>
      </Tooltip>
    );
  }

  return (
    <Link
      href={href}
      // Every page is dynamic: fetching ahead renders a dozen in vain.
      prefetch={false}
      aria-current={isCurrent ? "page" : undefined}
      className={cn(rowStyle, isCurrent ? "bg-accent-soft font-medium text-ink" : "text-muted hover:bg-hover hover:text-ink")}
    >
      <Icon aria-hidden className={cn("size-4", isCurrent && "text-accent")} />
      <span className="flex-1">{label}</span>
      {href === "/approvals" ? <CountBadge count={waiting} label="waiting" /> : null}
    </Link>
  );
};

type Props = { readonly role: Role; readonly auditor: boolean; readonly waiting: number };

/** Main navigation; pages without access show why. */
export const Nav = ({ role, auditor, waiting }: Props) => {
  const pathname = usePathname();

  return (
    <nav aria-label="Main">
      <ul className="flex flex-col gap-0.5">
        {DESTINATIONS.map((destination) => (
          <li key={destination.href}>
            <Entry destination={destination} role={role} auditor={auditor} isCurrent={isAt(pathname, destination.href)} waiting={waiting} />
          </li>
        ))}
      </ul>
    </nav>
  );
};
