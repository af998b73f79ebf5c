import type { Metadata } from "next";
import { ConnectPage } from "@/components/connect/connect-page";
import { requireSession } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Outside agents" };

const ConnectRoute = async () => {
  const { role } = await requireSession();

  return <ConnectPage role={role} />;
};

export default ConnectRoute;
