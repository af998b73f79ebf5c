import type { Metadata } from "next";
import { UsagePage } from "@/components/usage/usage-page";
import { requireSession } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Usage" };

const UsageRoute = async () => {
  await requireSession();

  return <UsagePage />;
};

export default UsageRoute;
