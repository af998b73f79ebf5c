import type { Metadata } from "next";
import { ApprovalsPage } from "@/components/approvals/approvals-page";
import { WaitingRequests } from "@/components/canvas/architect/waiting-requests";
import { WaitingPromotions } from "@/components/promotion/waiting-promotions";
import { requireSession } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Approvals" };

const PANEL = "mx-6 my-4 shrink-0 max-sm:mx-3";

const ApprovalsRoute = async () => {
  await requireSession();

  return (
    <ApprovalsPage
      publishRequests={
        <>
          <WaitingRequests className={PANEL} />
          <WaitingPromotions className={PANEL} />
        </>
      }
    />
  );
};

export default ApprovalsRoute;
