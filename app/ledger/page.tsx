import type { Metadata } from "next";
import { LedgerPage } from "@/components/ledger/ledger-page";
import { requireSession } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Ledger" };

const LedgerRoute = async () => {
  const { role, auditor } = await requireSession();

  return <LedgerPage role={role} auditor={auditor} />;
};

export default LedgerRoute;
