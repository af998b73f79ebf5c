/** What pages use: data fetched while the page is rendered, through the same procedures and the same checks. */
import "server-only";
import { dehydrate, defaultShouldDehydrateQuery, HydrationBoundary, QueryClient, type FetchQueryOptions } from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache, type ReactNode } from "react";
import type { SignedIn } from "@/server/auth/signed-in";
import { makeContext } from "./context";
import { appRouter } from "./root";

const rscContext = cache(async () => makeContext(await headers()));

const queryClient = cache(
  () =>
    new QueryClient({
      defaultOptions: {
        queries: { staleTime: 30_000, retry: false },
        // A query still under way is streamed to the browser when it is done.
        dehydrate: { shouldDehydrateQuery: (query) => defaultShouldDehydrateQuery(query) || query.state.status === "pending" },
      },
    }),
);

export const trpc = createTRPCOptionsProxy({ ctx: rscContext, router: appRouter, queryClient });

/** Starts a query on the server. The page does not wait: the answer is streamed after it, and a failure is asked again by the browser. */
export const prefetch = (...queries: readonly FetchQueryOptions[]): void => {
  for (const query of queries) void queryClient().prefetchQuery(query);
};

/** Gives the prefetched answers to the components inside. */
export const HydrateClient = ({ children }: { readonly children: ReactNode }) => (
  <HydrationBoundary state={dehydrate(queryClient())}>{children}</HydrationBoundary>
);

/** Who is signed in, or null. */
export const currentSession = async (): Promise<SignedIn | null> => (await rscContext()).signedIn();

/** Who is signed in; otherwise the request goes to the sign-in page. For comfort: procedures check for themselves. */
export const requireSession = async (): Promise<SignedIn> => (await currentSession()) ?? redirect("/sign-in");
