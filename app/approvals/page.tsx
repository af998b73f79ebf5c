import type { Metadata } from "next";
import { ApprovalsPage } from "@/components/approvals/approvals-page";
import { WaitingRequests } from "@/components/canvas/architect/waiting-requests";
import { requireSession } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Approvals" };

const ApprovalsRoute = async () => {
  await requireSession();

  return <ApprovalsPage publishRequests={<WaitingRequests className="mx-6 my-4 shrink-0 max-sm:mx-3" />} />;
};

export default ApprovalsRoute;
