import { router } from "@/server/trpc/init";
import { sessionCurrent } from "./current";
import { sessionLedgerKeys } from "./ledger-keys";

export const sessionRouter = router({ current: sessionCurrent, ledgerKeys: sessionLedgerKeys });
