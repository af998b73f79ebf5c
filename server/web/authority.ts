import type { AdminArea } from "@/lib/engine/events/workspace";
import { digestInForce, type WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import { AppError } from "@/lib/errors";
import type { HexDigest } from "@/lib/hash";
import { log } from "@/server/log";
import { countAuthorityFault } from "@/server/metrics";
import { listHandovers, listPublicKeys } from "@/server/security/trust-anchor";
import { createAuthorityReader, isAuthorityError, ProjectionMismatch, type AuthorityUnverified } from "@/server/store/trust/authority";

const report = (error: AuthorityUnverified | ProjectionMismatch): void => {
  countAuthorityFault(error instanceof ProjectionMismatch ? "projection_mismatch" : "ledger_invalid");
  log().error({ workspace: error.workspaceId, error: error.message }, "a row is not believed");
};

const reader = createAuthorityReader({ publicKeys: listPublicKeys, handovers: listHandovers, scope: "workspace", onFault: report });

/** Null digest: grants nothing. */
export type Claim = { readonly area: AdminArea; readonly subject: string; readonly digest: HexDigest | null };

const believed = async <T>(
  workspaceId: string,
  found: T,
  readAgain: () => Promise<T>,
  claimsOf: (row: T) => readonly Claim[],
): Promise<T> => {
  let row = found;
  let before: number | null = null;
  for (;;) {
    const authority = await reader.read(workspaceId);
    const wrong = claimsOf(row).find(({ area, subject, digest }) => digestInForce(authority, area, subject) !== digest);
    if (!wrong) return row;
    if (before === authority.version) {
      const mismatch = new ProjectionMismatch(workspaceId, wrong.area, wrong.subject);
      report(mismatch);
      throw mismatch;
    }
    // Rows may predate the records unless read between equal reads.
    before = authority.version;
    row = await readAgain();
  }
};

/** Returns a row whose claims are in force. @throws AppError authority_mismatch, logged and counted */
export const confirmRow = async <T>(...args: Parameters<typeof believed<T>>): Promise<T> => {
  try {
    return await believed(...args);
  } catch (error) {
    throw isAuthorityError(error) ? new AppError("authority_mismatch", { cause: error }) : error;
  }
};

/** Returns `otherwise` on authority_mismatch. */
export const catchMismatch = async <T, const O>(confirmed: Promise<T>, otherwise: O): Promise<T | O> => {
  try {
    return await confirmed;
  } catch (error) {
    if (error instanceof AppError && error.code === "authority_mismatch") return otherwise;
    throw error;
  }
};

/** @throws AppError authority_mismatch */
export const readAuthority = async (workspaceId: string): Promise<WorkspaceAuthority> => {
  try {
    return await reader.read(workspaceId);
  } catch (error) {
    throw isAuthorityError(error) ? new AppError("authority_mismatch", { cause: error }) : error;
  }
};
