import "./globals.css";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { SITE_ATTRIBUTE } from "@/components/arming/page-presence";
import { AppProviders } from "@/components/shell/app-providers";
import { Shell } from "@/components/shell/shell";
import { OtherWorkspace } from "@/components/users/other-workspace";
import { readFrame } from "@/server/trpc/frame";

export const metadata: Metadata = {
  title: { default: "Countersign", template: "%s · Countersign" },
  description: "Agent workflows whose risky actions need human approval, with proof.",
};

/** The frame keeps clear of notches itself. */
export const viewport: Viewport = { viewportFit: "cover" };

const RootLayout = async ({ children }: { readonly children: ReactNode }) => {
  const { nonce, site, session, waiting, elsewhere } = await readFrame();
  const page =
    session && elsewhere ? (
      <OtherWorkspace wanted={elsewhere.wanted} shown={session.workspace.name} />
    ) : session ? (
      <Shell session={session} initialWaiting={waiting}>
        {children}
      </Shell>
    ) : (
      children
    );

  return (
    <html lang="en" suppressHydrationWarning className={`${GeistSans.variable} ${GeistMono.variable}`} {...{ [SITE_ATTRIBUTE]: site }}>
      <body>
        <AppProviders nonce={nonce} workspace={session?.workspace.id ?? null}>
          {page}
        </AppProviders>
      </body>
    </html>
  );
};

export default RootLayout;
