import type { Metadata } from "next";
import { ApprovalsPage } from "@/components/approvals/approvals-page";
import { requireSession } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Approvals" };

const ApprovalsRoute = async () => {
  await requireSession();

  return <ApprovalsPage />;
};

export default ApprovalsRoute;
