import type { Metadata } from "next";
import { WaitingRequests } from "@/components/canvas/architect/waiting-requests";
import { WaitingPromotions } from "@/components/promotion/waiting-promotions";
import { Home } from "@/components/home/home";
import { waitingInput } from "@/components/home/waiting-input";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

// The template applies only to pages below.
export const metadata: Metadata = { title: { absolute: "Home · Countersign" } };

const HomePage = async () => {
  const session = await requireSession();
  await prefetch(
    trpc.approvals.queue.queryOptions(waitingInput(session.role)),
    trpc.home.firstDay.queryOptions(),
    trpc.runs.list.queryOptions({ limit: 6 }),
    trpc.runs.list.queryOptions({ limit: 6, active: true }),
    trpc.ledger.overview.queryOptions(),
  );

  return (
    <HydrateClient>
      <Home
        session={session}
        publishRequests={
          <>
            <WaitingRequests />
            <WaitingPromotions />
          </>
        }
      />
    </HydrateClient>
  );
};

export default HomePage;
