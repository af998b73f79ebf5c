import { createHash, randomBytes } from "node:crypto";
import type { Sender } from "@/server/store/runs/command-envelope";
import { isPersonal, isServiceAccount, type TokenScope } from "@/lib/engine/principal";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { Integrity } from "@/lib/graph/label";
import type { NewGrant } from "@/lib/outside/oauth-grant";
import type { NewToken } from "@/lib/outside/token-command";
import { DEFAULT_TOKEN_LIMITS, type TokenLimits } from "@/lib/outside/token-limits";
import type { AdminSignature } from "@/lib/engine/ledger/countersignable";
import { systemClock } from "@/server/clock";
import { deriveAgentSeed, getPublicKey } from "@/server/security/session-key";
import { submitCommand } from "@/server/web/submit-command";
import { getApiAudience, getAudience } from "./endpoint";
import { TOKEN_PREFIX } from "./token-form";

const HINT_CHARACTERS = 8;

/** Hashes a token for lookup, so timing reveals nothing. */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex");

export type Minting = {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly graphs: readonly string[] | null;
  readonly environments?: string[];
  readonly integrity: Integrity;
  readonly strictErrors: boolean;
  readonly singleBlock: boolean;
  readonly limits?: TokenLimits;
  readonly lifetimeMs: number;
  readonly oauth?: NewGrant;
};

export const createTokenSecret = () => {
  const token = `${TOKEN_PREFIX}${randomBytes(32).toString("base64url")}`;

  return { token, hash: hashToken(token), publicKey: getPublicKey(deriveAgentSeed(token)), hint: token.slice(0, HINT_CHARACTERS) };
};

export const rotateToken = async (
  workspaceId: string,
  author: Sender,
  { id, lifetimeMs }: { readonly id: string; readonly lifetimeMs: number },
  signed?: AdminSignature,
) => {
  const { token, ...secret } = createTokenSecret();
  const body = { kind: "token_rotate", token: id, secret, lifetimeMs, ...(signed ? { signed } : {}) } as const;
  await submitCommand({ workspaceId, author, runId: getWorkspaceLedgerId(workspaceId), body });

  return { token, hint: secret.hint, expiresAt: systemClock.now() + lifetimeMs };
};

/** `expiresAt` is approximate. @throws as `rotateToken` */
export const mintToken = async (workspaceId: string, author: Sender, minting: Minting, signed?: AdminSignature) => {
  const { token, ...secret } = createTokenSecret();
  const id = systemClock.id();
  const { scopes, graphs, ...rest } = minting;
  const wanted: NewToken = {
    limits: DEFAULT_TOKEN_LIMITS,
    ...rest,
    ...secret,
    id,
    audience: isServiceAccount(scopes) || isPersonal(scopes) ? getApiAudience() : getAudience(workspaceId),
    scopes: [...scopes],
    graphs: graphs && [...graphs],
  };
  const body = { kind: "token_mint", token: wanted, ...(signed ? { signed } : {}) } as const;
  await submitCommand({ workspaceId, author, runId: getWorkspaceLedgerId(workspaceId), body });

  return { id, token, hint: secret.hint, expiresAt: systemClock.now() + minting.lifetimeMs };
};
