import type { Metadata } from "next";
import { TrustPage } from "@/components/audit/trust-page";
import { requireSession } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Trust log" };

const TrustRoute = async () => {
  const { role, auditor } = await requireSession();

  return <TrustPage role={role} auditor={auditor} />;
};

export default TrustRoute;
