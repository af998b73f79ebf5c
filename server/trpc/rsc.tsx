/** What pages use: data fetched while the page is rendered, through the same procedures and the same checks. */
import "server-only";
import { dehydrate, defaultShouldDehydrateQuery, HydrationBoundary, QueryClient, type QueryKey } from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache, type ReactNode } from "react";
import type { SignedIn } from "@/server/auth/signed-in";
import { makeContext } from "./context";
import { appRouter, createCaller } from "./root";

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

/** What `trpc.….queryOptions()` gives, as far as it matters here. */
type Prefetchable = { readonly queryKey: QueryKey; readonly queryFn?: unknown };

/** Starts queries on the server. The page does not wait: answers are streamed after it, and a failure is asked again by the browser. */
export const prefetch = (...queries: readonly Prefetchable[]): void => {
  for (const { queryKey, queryFn } of queries) {
    if (typeof queryFn !== "function") continue;
    // tRPC declares its options without regard to exactOptionalPropertyTypes, so they are taken apart and put together again.
    void queryClient().prefetchQuery({ queryKey, queryFn: (context): unknown => Reflect.apply(queryFn, undefined, [context]) });
  }
};

/** Calls procedures and waits, for what decides how the page looks at all. */
export const api = async () => createCaller(await rscContext());

/** Gives the prefetched answers to the components inside. */
export const HydrateClient = ({ children }: { readonly children: ReactNode }) => (
  <HydrationBoundary state={dehydrate(queryClient())}>{children}</HydrationBoundary>
);

/** Who is signed in, or null. */
export const currentSession = async (): Promise<SignedIn | null> => (await rscContext()).signedIn();

/** Who is signed in; otherwise the request goes to the sign-in page. For comfort: procedures check for themselves. */
export const requireSession = async (): Promise<SignedIn> => (await currentSession()) ?? redirect("/sign-in");
