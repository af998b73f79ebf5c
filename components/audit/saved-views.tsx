"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { tellViewError, ViewBar } from "@/components/views/view-bar";
import { BUILT_IN, filterQuery, type TrustFilter } from "@/lib/engine/labels/trust-filter";

const BUILT_IN_VIEWS = BUILT_IN.map(({ name, filter }) => ({ name, query: filterQuery(filter) }));

export const SavedViews = ({ filter }: { readonly filter: TrustFilter }) => {
  const trpc = useTRPC();
  const options = { onSuccess: useRefresh(trpc.trust.queries.queryFilter()), onError: tellViewError };
  const kept = useQuery(trpc.trust.queries.queryOptions()).data ?? [];
  const keep = useMutation(trpc.trust.keep.mutationOptions(options));
  const forget = useMutation(trpc.trust.forget.mutationOptions(options));

  return (
    <ViewBar
      path="/audit/trust"
      current={filterQuery(filter)}
      builtIn={BUILT_IN_VIEWS}
      saved={kept.map((view) => ({ ...view, query: filterQuery(view.filter) }))}
      remove={(id) => forget.mutate({ id })}
      isSaving={keep.isPending}
      save={(name, close) => keep.mutate({ name, filter }, { onSuccess: close })}
      className="border-b bg-surface"
    />
  );
};
