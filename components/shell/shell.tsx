"use client";

import type { ReactNode } from "react";
import { AlarmBanner } from "@/components/alarms/alarm-banner";
import { StopBanner } from "@/components/stop/stop-banner";
import { PresenceHost } from "@/components/arming/presence-host";
import { DecisionToasts } from "@/components/approvals/undo/decision-toasts";
import { isAllowed } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";
import { PaletteHost } from "./command-palette/palette-host";
import { DemoBanner } from "./demo-banner";
import { Sidebar } from "./sidebar";
import { StaleTab } from "./stale-tab";
import { ShortcutHost } from "@/components/shortcuts/shortcut-host";
import { TitleCount } from "./title-count";
import { TopBar } from "./top-bar";
import { useActionCommands } from "./use-action-commands";
import { useNavShortcuts } from "./use-nav-shortcuts";
import { useWaiting } from "./use-waiting";

type Props = { readonly session: SignedIn; readonly initialWaiting: Parameters<typeof useWaiting>[0]; readonly children: ReactNode };

export const Shell = ({ session, initialWaiting, children }: Props) => {
  const waiting = useWaiting(initialWaiting);
  useNavShortcuts(session.role, session.auditor);
  useActionCommands(session.role);

  return (
    <div className="flex h-dvh flex-col pr-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)]">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-surface px-3 py-2 text-sm font-medium shadow-float focus-visible:not-sr-only focus-visible:fixed focus-visible:top-2 focus-visible:left-2"
      >
        Skip to content
      </a>
      {session.workspace.demo ? <DemoBanner /> : null}
      {isAllowed(session.role, "alarm.manage") ? <AlarmBanner /> : null}
      <StopBanner />
      <TopBar session={session} waiting={waiting} />
      <div className="flex min-h-0 flex-1">
        <aside className="flex w-52 shrink-0 flex-col gap-4 overflow-y-auto border-r bg-surface px-2 py-3 max-lg:w-44 max-md:hidden">
          <Sidebar session={session} waiting={waiting} />
        </aside>
        <main id="main" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 flex-col overflow-y-auto outline-none">
          {children}
        </main>
      </div>
      <PresenceHost />
      <ShortcutHost />
      <PaletteHost />
      <TitleCount count={waiting} />
      <DecisionToasts />
      <StaleTab workspace={session.workspace} />
    </div>
  );
};
