type Times = { readonly revokedAt: number | null; readonly expiresAt: number };

/** Of a token or session. @param now ms since 1970 */
export const toStatus = ({ revokedAt, expiresAt }: Times, now: number): "active" | "expired" | "revoked" =>
  revokedAt !== null ? "revoked" : expiresAt <= now ? "expired" : "active";
