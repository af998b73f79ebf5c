import { router } from "@/server/trpc/init";
import { ledgerCheckpoints } from "./checkpoints";
import { ledgerConsistency } from "./consistency";
import { ledgerInclusion } from "./inclusion";
import { ledgerOverview } from "./overview";
import { ledgerTakeCheckpoint } from "./take-checkpoint";
import { ledgerVerifier } from "./verifier";

export const ledgerRouter = router({
  checkpoints: ledgerCheckpoints,
  consistency: ledgerConsistency,
  inclusion: ledgerInclusion,
  overview: ledgerOverview,
  takeCheckpoint: ledgerTakeCheckpoint,
  verifier: ledgerVerifier,
});
