import { listPublicKeys } from "@/server/store/signing-keys";
import { procedure } from "@/server/trpc/init";

/** The public keys whose signatures the ledgers of this installation carry, by kid: what a verifier is given. */
export const sessionLedgerKeys = procedure("run.read").query(() => listPublicKeys());
