import type { Metadata } from "next";
import { RunsPage } from "@/components/runs/runs-page";
import { requireSession } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Runs" };

const RunsRoute = async () => {
  const { role } = await requireSession();

  return <RunsPage role={role} />;
};

export default RunsRoute;
