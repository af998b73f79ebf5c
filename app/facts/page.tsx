import type { Metadata } from "next";
import { FactsPage } from "@/components/facts/facts-page";
import { requireSession } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Facts" };

const FactsRoute = async () => {
  const { role } = await requireSession();

  return <FactsPage role={role} />;
};

export default FactsRoute;
