import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ComparePage } from "@/components/runs/compare-page";
import { uuidSchema } from "@/lib/ids";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Two runs compared" };

type Props = { readonly params: Promise<{ id: string }>; readonly searchParams: Promise<{ with?: string | string[] }> };

const CompareRoute = async ({ params, searchParams }: Props) => {
  await requireSession();
  const a = uuidSchema.safeParse((await params).id);
  const b = uuidSchema.safeParse((await searchParams).with);
  if (!a.success || !b.success) notFound();
  await prefetch(trpc.runs.compare.queryOptions({ a: a.data, b: b.data }));

  return (
    <HydrateClient>
      <ComparePage runId={a.data} otherId={b.data} />
    </HydrateClient>
  );
};

export default CompareRoute;
