import type { Metadata } from "next";
import { ConsolePage } from "@/components/connect/console-page";
import { requireSession } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Agent console" };

const ConsoleRoute = async () => {
  const { role, user } = await requireSession();

  return <ConsolePage role={role} userId={user.id} />;
};

export default ConsoleRoute;
