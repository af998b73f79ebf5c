import type { Metadata } from "next";
import { RulesPage } from "@/components/rules/rules-page";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Approval rules" };

const RulesRoute = async () => {
  const session = await requireSession();
  await prefetch(trpc.approvers.rules.list.queryOptions());

  return (
    <HydrateClient>
      <RulesPage session={session} />
    </HydrateClient>
  );
};

export default RulesRoute;
