/** How tokens of outside agents are made and told apart. */
import { createHash, randomBytes } from "node:crypto";
import type { AgentScope } from "@/lib/engine/principal";
import type { Integrity } from "@/lib/graph/label";
import { systemClock } from "@/server/clock";
import { insertAgentToken } from "@/server/store/agent-tokens";
import { audienceOf } from "./endpoint";
import { TOKEN_PREFIX } from "./token-form";

const HINT_CHARACTERS = 8;

/** What is stored of a token. It is looked up by this, so how long that takes says nothing about the token. */
export const tokenHash = (token: string): string => createHash("sha256").update(token).digest("hex");

export type Minting = {
  readonly name: string;
  readonly scopes: readonly AgentScope[];
  /** Null: all graphs of the workspace. */
  readonly graphs: readonly string[] | null;
  readonly integrity: Integrity;
  readonly strictErrors: boolean;
  readonly singleBlock: boolean;
  readonly ownerId: string;
  readonly lifetimeMs: number;
};

/** Makes a token. Nobody can ever see it again. */
export const mintToken = async (workspaceId: string, { lifetimeMs, ...minting }: Minting) => {
  const token = `${TOKEN_PREFIX}${randomBytes(32).toString("base64url")}`;
  const id = systemClock.id();
  const createdAt = systemClock.now();
  const expiresAt = createdAt + lifetimeMs;
  const hint = token.slice(0, HINT_CHARACTERS);
  await insertAgentToken(workspaceId, {
    ...minting,
    id,
    hash: tokenHash(token),
    hint,
    audience: audienceOf(workspaceId),
    createdAt,
    expiresAt,
  });

  return { id, token, hint, expiresAt };
};
