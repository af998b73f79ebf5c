import type { Metadata } from "next";
import { ApprovalsPage } from "@/components/approvals/approvals-page";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Approvals" };

const ApprovalsRoute = async () => {
  await requireSession();
  await prefetch(trpc.approvals.list.queryOptions({ status: "open" }), trpc.approvals.count.queryOptions());

  return (
    <HydrateClient>
      <ApprovalsPage />
    </HydrateClient>
  );
};

export default ApprovalsRoute;
