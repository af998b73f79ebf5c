/** How tokens of outside agents are made and told apart. */
import { createHash, randomBytes } from "node:crypto";
import type { EnvelopeAuthor } from "@/lib/command-envelope";
import type { AgentScope } from "@/lib/engine/principal";
import { workspaceLedgerId } from "@/lib/engine/workspace-ledger";
import type { Integrity } from "@/lib/graph/label";
import type { NewToken } from "@/lib/outside/token-command";
import { systemClock } from "@/server/clock";
import { submitCommand } from "@/server/web/submit-command";
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
  readonly lifetimeMs: number;
};

/** Makes a token and has the runner put it on record. It is shown once. @throws AppError as `submitCommand` */
export const mintToken = async (workspaceId: string, author: EnvelopeAuthor, { lifetimeMs, ...minting }: Minting) => {
  const token = `${TOKEN_PREFIX}${randomBytes(32).toString("base64url")}`;
  const id = systemClock.id();
  const expiresAt = systemClock.now() + lifetimeMs;
  const hint = token.slice(0, HINT_CHARACTERS);
  const { scopes, graphs, ...rest } = minting;
  const wanted: NewToken = {
    ...rest,
    id,
    hash: tokenHash(token),
    hint,
    audience: audienceOf(workspaceId),
    scopes: [...scopes],
    graphs: graphs && [...graphs],
    expiresAt,
  };
  await submitCommand({ workspaceId, author, runId: workspaceLedgerId(workspaceId), body: { kind: "token_mint", token: wanted } });

  return { id, token, hint, expiresAt };
};
