"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { useState, type ReactNode } from "react";
import { makeQueryClient } from "@/components/trpc/query-client";
import { TRPCProvider } from "@/components/trpc/trpc";
import { Toaster } from "@/components/ui/toast";
import { StepUp } from "@/components/users/step-up";
import { getStepUpLink } from "@/components/users/step-up-link";
import { WORKSPACE_HEADER } from "@/lib/people/tab-workspace";
import type { AppRouter } from "@/server/trpc/root";

const ENDPOINT = "/api/trpc";
/** As on the server. */
const MAX_BATCH = 20;

const makeClient = (workspace: string | null) =>
  createTRPCClient<AppRouter>({
    links: [
      getStepUpLink,
      splitLink({
        condition: (operation) => operation.type === "subscription",
        true: httpSubscriptionLink({ url: ENDPOINT, connectionParams: workspace === null ? null : { workspace } }),
        false: httpBatchLink({ url: ENDPOINT, maxItems: MAX_BATCH, headers: workspace === null ? {} : { [WORKSPACE_HEADER]: workspace } }),
      }),
    ],
  });

let browserClient: QueryClient | null = null;

// One per tab, fresh for each server rendering.
const queryClientHere = (): QueryClient => (typeof window === "undefined" ? makeQueryClient() : (browserClient ??= makeQueryClient()));

type Props = {
  readonly nonce: string | undefined;
  readonly workspace: string | null;
  readonly children: ReactNode;
};

export const AppProviders = ({ nonce, workspace, children }: Props) => {
  const queryClient = queryClientHere();
  const [client] = useState(() => makeClient(workspace));

  return (
    <CSPProvider nonce={nonce}>
      <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange {...(nonce ? { nonce } : {})}>
        <QueryClientProvider client={queryClient}>
          <TRPCProvider trpcClient={client} queryClient={queryClient}>
            <NuqsAdapter>
              <Tooltip.Provider>{children}</Tooltip.Provider>
              <StepUp />
              <Toaster />
            </NuqsAdapter>
          </TRPCProvider>
        </QueryClientProvider>
      </ThemeProvider>
    </CSPProvider>
  );
};
