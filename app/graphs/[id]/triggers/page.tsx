import type { Metadata } from "next";
import { TriggersPage } from "@/components/triggers/triggers-page";
import { isAllowed } from "@/lib/roles";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Triggers" };

type Props = { readonly params: Promise<{ id: string }> };

const TriggersRoute = async ({ params }: Props) => {
  const [{ id }, { role }] = await Promise.all([params, requireSession()]);
  if (isAllowed(role, "run.read")) await prefetch(trpc.triggers.get.queryOptions({ graphId: id }));

  return (
    <HydrateClient>
      <TriggersPage id={id} role={role} />
    </HydrateClient>
  );
};

export default TriggersRoute;
