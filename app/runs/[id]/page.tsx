import type { Metadata } from "next";
import { RunPage } from "@/components/runs/run-page";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Run" };

type Props = { readonly params: Promise<{ id: string }> };

const RunRoute = async ({ params }: Props) => {
  const { role, auditor } = await requireSession();
  const { id } = await params;
  await prefetch(trpc.runs.get.queryOptions({ run_id: id }));

  return (
    <HydrateClient>
      <RunPage runId={id} role={role} auditor={auditor} />
    </HydrateClient>
  );
};

export default RunRoute;
