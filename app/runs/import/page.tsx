import type { Metadata } from "next";
import { ImportPage } from "@/components/runs/bundle/import-page";
import { requireSession } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Bundles" };

const ImportRoute = async () => {
  const { user } = await requireSession();

  return <ImportPage userId={user.id} />;
};

export default ImportRoute;
