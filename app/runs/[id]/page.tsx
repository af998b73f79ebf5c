import type { Metadata } from "next";
import { ComparePage } from "@/components/runs/compare-page";
import { RunPage } from "@/components/runs/run-page";
import { uuidSchema } from "@/lib/ids";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Run" };

type Props = { readonly params: Promise<{ id: string }>; readonly searchParams: Promise<{ compare?: string | string[] }> };

const RunRoute = async ({ params, searchParams }: Props) => {
  const { role, auditor } = await requireSession();
  const { id } = await params;
  const other = uuidSchema.safeParse((await searchParams).compare);
  if (other.success) return <ComparePage runId={id} otherId={other.data} />;
  await prefetch(trpc.runs.get.queryOptions({ run_id: id }));

  return (
    <HydrateClient>
      <RunPage runId={id} role={role} auditor={auditor} />
    </HydrateClient>
  );
};

export default RunRoute;
