import type { Metadata } from "next";
import { ApprovalPage } from "@/components/approvals/approval-page";
import { HydrateClient, prefetch, requireSession, titleFrom, trpc } from "@/server/trpc/rsc";

type Props = { readonly params: Promise<{ id: string }> };

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { id } = await params;

  return titleFrom(
    trpc.approvals.get.queryOptions({ approvalId: id }),
    "Approval",
    ({ approval }) => `${approval.node}, ${approval.graphName}`,
  );
};

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
