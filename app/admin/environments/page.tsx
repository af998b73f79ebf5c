import type { Metadata } from "next";
import { EnvironmentsPage } from "@/components/environments/environments-page";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Environments" };

const EnvironmentsRoute = async () => {
  const session = await requireSession();
  await prefetch(trpc.environments.list.queryOptions());

  return (
    <HydrateClient>
      <EnvironmentsPage session={session} />
    </HydrateClient>
  );
};

export default EnvironmentsRoute;
