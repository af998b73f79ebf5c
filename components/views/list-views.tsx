"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import type { ViewPage } from "@/lib/saved-views";
import { tellViewError, ViewBar } from "./view-bar";

type Props = {
  readonly page: ViewPage;
  readonly search: string;
  readonly isFiltered: boolean;
};

export const ListViews = ({ page, search, isFiltered }: Props) => {
  const trpc = useTRPC();
  const saved = useQuery(trpc.views.list.queryOptions({ page })).data ?? [];
  const options = { onSuccess: useRefresh(trpc.views.list.queryFilter()), onError: tellViewError };
  const save = useMutation(trpc.views.save.mutationOptions(options));
  const remove = useMutation(trpc.views.remove.mutationOptions(options));
  const current = new URLSearchParams(search).toString();
  if (saved.length === 0 && !isFiltered) return null;

  return (
    <ViewBar
      path={`/${page}`}
      current={current}
      saved={saved}
      remove={(id) => remove.mutate({ page, id })}
      isSaving={save.isPending}
      save={(name, close) => save.mutate({ page, name, query: current }, { onSuccess: close })}
      className="pt-0"
    />
  );
};
