import type { Metadata } from "next";
import { LedgerPage } from "@/components/ledger/ledger-page";
import { HydrateClient, prefetch, requireSession, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Ledger" };

const LedgerRoute = async () => {
  const { role, auditor } = await requireSession();
  await prefetch(trpc.ledger.overview.queryOptions());

  return (
    <HydrateClient>
      <LedgerPage role={role} auditor={auditor} />
    </HydrateClient>
  );
};

export default LedgerRoute;
