import type { Metadata } from "next";
import { ApprovalPage } from "@/components/approvals/approval-page";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Approval" };

type Props = { readonly params: Promise<{ id: string }> };

const ApprovalRoute = async ({ params }: Props) => {
  const { role, auditor } = await requireSession();
  const { id } = await params;
  await prefetch(trpc.approvals.get.queryOptions({ approvalId: id }));

  return (
    <HydrateClient>
      <ApprovalPage approvalId={id} role={role} auditor={auditor} />
    </HydrateClient>
  );
};

export default ApprovalRoute;
