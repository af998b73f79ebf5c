import "server-only";
import { dehydrate, HydrationBoundary, QueryClient, type DataTag, type QueryKey } from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache, type ReactNode } from "react";
import { WORKSPACE_QUERY } from "@/lib/people/tab-workspace";
import { ownPath } from "@/lib/own-path";
import { MISMATCH_PATH } from "@/server/auth/oidc";
import type { SignedIn } from "@/server/auth/signed-in";
import { catchMismatch } from "@/server/web/authority";
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

type Prefetchable = { readonly queryKey: QueryKey; readonly queryFn?: unknown };

/** Prefetches queries. Await it: hydration must find no answer that the content lacked. */
export const prefetch = async (...queries: readonly Prefetchable[]): Promise<void> => {
  await Promise.all(
    queries.map(async ({ queryKey, queryFn }) => {
      if (typeof queryFn !== "function") return;
      // tRPC's option types ignore exactOptionalPropertyTypes.
      await queryClient().prefetchQuery({ queryKey, queryFn: (context): unknown => Reflect.apply(queryFn, undefined, [context]) });
    }),
  );
};

/** Returns undefined on failure. */
export const readPrefetched = <Answer,>(queryKey: DataTag<QueryKey, Answer, unknown>): Answer | undefined =>
  queryClient().getQueryData(queryKey);

/** Titles an object's page by name and kind, else by kind. The page's prefetch reuses the answer. */
export const titleFrom = async <Answer,>(
  options: Prefetchable & { readonly queryKey: DataTag<QueryKey, Answer, unknown> },
  kind: string,
  nameOf: (answer: Answer) => string,
): Promise<Metadata> => {
  await prefetch(options);
  const answer = readPrefetched(options.queryKey);
  const name = answer === undefined ? "" : nameOf(answer).trim();

  return { title: name === "" ? kind : `${name} · ${kind}` };
};

export const getApi = async () => createCaller(await rscContext());

export const getCurrentSession = async (): Promise<SignedIn | null> => (await rscContext()).signedIn();

export const HydrateClient = async ({ children }: { readonly children: ReactNode }) => {
  const session = await catchMismatch(getCurrentSession(), null);

  if (session) queryClient().setQueryData(WORKSPACE_QUERY, session.workspace.id);

  return <HydrationBoundary state={dehydrate(queryClient())}>{children}</HydrationBoundary>;
};

const signInPath = async (): Promise<`/sign-in${string}`> => {
  const path = ownPath((await headers()).get("x-path"));

  return path === "/" ? "/sign-in" : `/sign-in?to=${encodeURIComponent(path)}`;
};

/** Redirects to sign-in. No access check: procedures check themselves. */
export const requireSession = async (): Promise<SignedIn> => {
  const signedIn = await catchMismatch(getCurrentSession(), "mismatch");

  return signedIn === "mismatch" ? redirect(MISMATCH_PATH) : (signedIn ?? redirect(await signInPath()));
};
