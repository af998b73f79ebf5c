import type { Metadata } from "next";
import { Home } from "@/components/home/home";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Home" };

const HomePage = async () => {
  const session = await requireSession();
  await prefetch(
    trpc.approvals.list.queryOptions({ status: "open" }),
    trpc.approvals.list.queryOptions({ status: "resolved" }),
    trpc.runs.list.queryOptions({ limit: 50 }),
    trpc.session.ledgerKeys.queryOptions(),
  );

  return (
    <HydrateClient>
      <Home session={session} />
    </HydrateClient>
  );
};

export default HomePage;
