import type { Metadata } from "next";
import { JobPage } from "@/components/canvas/architect/job-page";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Architect" };

type Props = { readonly params: Promise<{ job: string }> };

const ArchitectPage = async ({ params }: Props) => {
  const [{ job }] = await Promise.all([params, requireSession()]);
  await prefetch(trpc.architect.job.queryOptions({ id: job }));

  return (
    <HydrateClient>
      <JobPage id={job} />
    </HydrateClient>
  );
};

export default ArchitectPage;
