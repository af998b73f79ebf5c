import type { Metadata } from "next";
import { PeoplePage } from "@/components/people/people-page";
import { isAllowed } from "@/lib/roles";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "People" };

const PeopleRoute = async () => {
  const session = await requireSession();
  if (isAllowed(session.role, "people.read", session.auditor)) await prefetch(trpc.people.list.queryOptions());

  return (
    <HydrateClient>
      <PeoplePage session={session} />
    </HydrateClient>
  );
};

export default PeopleRoute;
