import { router } from "@/server/trpc/init";
import { sessionCurrent } from "./current";
import { sessionLedgerKeys } from "./ledger-keys";
import { sessionProof } from "./proof";
import { sessionProve } from "./prove";

export const sessionRouter = router({ current: sessionCurrent, ledgerKeys: sessionLedgerKeys, proof: sessionProof, prove: sessionProve });
