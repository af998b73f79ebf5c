import type { Metadata } from "next";
import { ChecksPage } from "@/components/checks/checks-page";
import { isAllowed } from "@/lib/roles";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Checks" };

const ChecksRoute = async () => {
  const { role } = await requireSession();
  if (isAllowed(role, "installation.read")) await prefetch(trpc.checks.report.queryOptions());

  return (
    <HydrateClient>
      <ChecksPage role={role} />
    </HydrateClient>
  );
};

export default ChecksRoute;
