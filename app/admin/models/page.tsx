import type { Metadata } from "next";
import { ModelsPage } from "@/components/models/models-page";
import { isAllowed } from "@/lib/roles";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Models" };

const ModelsRoute = async () => {
  const { role } = await requireSession();
  if (isAllowed(role, "model.read")) await prefetch(trpc.models.settings.queryOptions());

  return (
    <HydrateClient>
      <ModelsPage role={role} />
    </HydrateClient>
  );
};

export default ModelsRoute;
