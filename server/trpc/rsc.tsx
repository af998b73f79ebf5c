/** What pages use: data fetched while the page is rendered, through the same procedures and the same checks. */
import "server-only";
import { dehydrate, HydrationBoundary, QueryClient, type DataTag, type QueryKey } from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache, type ReactNode } from "react";
import { ownPath } from "@/lib/own-path";
import { MISMATCH_PATH } from "@/server/auth/oidc";
import type { SignedIn } from "@/server/auth/signed-in";
import { unlessMismatch } from "@/server/web/authority";
import { makeContext } from "./context";
import { appRouter, createCaller } from "./root";

const rscContext = cache(async () => makeContext(await headers()));

const queryClient = cache(
  () =>
    new QueryClient({
      defaultOptions: { queries: { staleTime: 30_000, retry: false } },
    }),
);

export const trpc = createTRPCOptionsProxy({ ctx: rscContext, router: appRouter, queryClient });

/** What `trpc.….queryOptions()` gives, as far as it matters here. */
type Prefetchable = { readonly queryKey: QueryKey; readonly queryFn?: unknown };

/**
 * Asks queries on the server, all at once, so that the page arrives with its content. One that fails is asked again by
 * the browser. It must be awaited: what is rendered without an answer must find none when the browser takes over.
 */
export const prefetch = async (...queries: readonly Prefetchable[]): Promise<void> => {
  await Promise.all(
    queries.map(async ({ queryKey, queryFn }) => {
      if (typeof queryFn !== "function") return;
      // tRPC declares its options without regard to exactOptionalPropertyTypes, so they are taken apart and put together again.
      await queryClient().prefetchQuery({ queryKey, queryFn: (context): unknown => Reflect.apply(queryFn, undefined, [context]) });
    }),
  );
};

/** The answer to a query that was prefetched, for what is asked next; undefined when it failed. */
export const prefetched = <Answer,>(queryKey: DataTag<QueryKey, Answer, unknown>): Answer | undefined =>
  queryClient().getQueryData(queryKey);

/** Calls procedures and waits, for what decides how the page looks at all. */
export const api = async () => createCaller(await rscContext());

/** Gives the prefetched answers to the components inside. */
export const HydrateClient = ({ children }: { readonly children: ReactNode }) => (
  <HydrationBoundary state={dehydrate(queryClient())}>{children}</HydrationBoundary>
);

/** Who is signed in, or null. */
export const currentSession = async (): Promise<SignedIn | null> => (await rscContext()).signedIn();

/** The sign-in page, which leads back to the page that was asked for. */
const signInPath = async (): Promise<`/sign-in${string}`> => {
  const path = ownPath((await headers()).get("x-path"));

  return path === "/" ? "/sign-in" : `/sign-in?to=${encodeURIComponent(path)}`;
};

/** Who is signed in; otherwise the request goes to the sign-in page. For comfort: procedures check for themselves. */
export const requireSession = async (): Promise<SignedIn> => {
  const signedIn = await unlessMismatch(currentSession(), "mismatch");

  return signedIn === "mismatch" ? redirect(MISMATCH_PATH) : (signedIn ?? redirect(await signInPath()));
};
