import "./globals.css";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { AppProviders } from "@/components/providers/app-providers";
import { Shell } from "@/components/shell/shell";
import { currentSession } from "@/server/trpc/rsc";

export const metadata: Metadata = {
  title: { default: "Countersign", template: "%s · Countersign" },
  description: "Agent workflows whose risky effects wait for a person, with proof.",
};

const isOpenToAll = (path: string | null): boolean => path === "/sign-in" || path === "/setup";

const RootLayout = async ({ children }: { readonly children: ReactNode }) => {
  // Reading the request makes every page dynamic, which the nonce needs.
  const request = await headers();
  const nonce = request.get("x-nonce") ?? undefined;
  const isOpen = isOpenToAll(request.get("x-path"));
  const session = isOpen ? null : await currentSession();
  if (session === null && !isOpen) redirect("/sign-in");

  return (
    <html lang="en" suppressHydrationWarning className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <body>
        <AppProviders nonce={nonce}>{session ? <Shell session={session}>{children}</Shell> : children}</AppProviders>
      </body>
    </html>
  );
};

export default RootLayout;
