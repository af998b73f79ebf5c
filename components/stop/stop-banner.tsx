"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { Callout } from "@/components/ui/callout";

const REFRESH_MS = 5_000;

export const StopBanner = () => {
  const { data } = useQuery(useTRPC().work.get.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  if (!data?.byAdmin && !data?.byOperator) return null;

  return (
    <div className="shrink-0 border-b px-4 py-2">
      <Callout kind="waiting" title="All work is stopped">
        <p>
          Runs make no calls. Approval requests stay open.{" "}
          {data.byOperator ? "An operator can resume work on the command line." : "An admin can resume work in Settings."}
        </p>
      </Callout>
    </div>
  );
};
