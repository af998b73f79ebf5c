"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { Inbox, Menu as MenuIcon, X } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { buttonStyle } from "@/components/ui/button-style";
import { cn } from "@/components/ui/cn";
import { CountBadge } from "@/components/ui/count-badge";
import { backdropStyle } from "@/components/ui/popup-style";
import { isAllowed } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";
import { Sidebar } from "./sidebar";
import { Wordmark } from "@/components/ui/wordmark";

const touchTarget = cn(buttonStyle({ variant: "ghost" }), "size-11 p-0");

type Props = { readonly session: SignedIn; readonly waiting: number };

/** Phones: the sidebar in a drawer, with approvals at hand. */
export const TopBar = ({ session, waiting }: Props) => {
  const pathname = usePathname();
  // Leaving the page closes the drawer.
  const [openAt, setOpenAt] = useState<string | null>(null);

  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-b bg-surface px-1 md:hidden">
      <Base.Root open={openAt === pathname} onOpenChange={(isOpen) => setOpenAt(isOpen ? pathname : null)}>
        <Base.Trigger aria-label="Open navigation" className={touchTarget}>
          <MenuIcon aria-hidden />
        </Base.Trigger>
        <Base.Portal>
          <Base.Backdrop className={backdropStyle} />
          <Base.Popup
            className="fixed inset-y-0 left-0 z-40 flex w-72 max-w-[calc(100vw-48px)] flex-col gap-4 overflow-y-auto bg-surface px-2 py-3 shadow-float outline-hidden transition-transform data-ending-style:-translate-x-full data-starting-style:-translate-x-full"
            // Also a link to the current page.
            onClick={({ target }) => {
              if (target instanceof Element && target.closest("a")) setOpenAt(null);
            }}
          >
            <Base.Title className="sr-only">Navigation</Base.Title>
            <Base.Close aria-label="Close navigation" className={cn(touchTarget, "absolute top-1 right-1")}>
              <X aria-hidden />
            </Base.Close>
            <Sidebar session={session} waiting={waiting} />
          </Base.Popup>
        </Base.Portal>
      </Base.Root>
      <Wordmark className="flex-1" />
      {isAllowed(session.role, "approval.read", session.auditor) ? (
        <Link href="/approvals" aria-label={`Open approvals, ${waiting} waiting`} className={cn(touchTarget, "w-auto min-w-11 gap-1 px-3")}>
          <Inbox aria-hidden />
          <CountBadge count={waiting} label="waiting" />
        </Link>
      ) : null}
    </header>
  );
};
