/** SCIM tokens: `csd_`, then workspace, token id and 32 random bytes in base64url. */
import { randomBytes } from "node:crypto";
import { isTokenInForce } from "@/lib/people/provision-fold";
import type { WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import { systemClock } from "@/server/clock";
import { deriveAgentSeed, getPublicKey } from "@/server/security/session-key";
import type { Sender } from "@/server/store/runs/command-envelope";

const PREFIX = "csd_";
const ID_BYTES = 16;
const SECRET_BYTES = 32;
const FORM = /^csd_[\w-]{86}$/;

const toBytes = (id: string): Buffer => Buffer.from(id.replaceAll("-", ""), "hex");

const toId = (bytes: Buffer): string => {
  const hex = bytes.toString("hex");

  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};

export const createScimToken = (workspaceId: string, id: string) => {
  const token = `${PREFIX}${Buffer.concat([toBytes(workspaceId), toBytes(id), randomBytes(SECRET_BYTES)]).toString("base64url")}`;

  return { token, publicKey: getPublicKey(deriveAgentSeed(token)) };
};

export type ScimCaller = {
  readonly workspaceId: string;
  readonly tokenId: string;
  readonly author: Extract<Sender, { type: "directory" }>;
};

export const readScimToken = (token: string): ScimCaller | null => {
  if (!FORM.test(token)) return null;
  const bytes = Buffer.from(token.slice(PREFIX.length), "base64url");
  const [workspaceId, tokenId] = [toId(bytes.subarray(0, ID_BYTES)), toId(bytes.subarray(ID_BYTES, 2 * ID_BYTES))];

  return { workspaceId, tokenId, author: { type: "directory", token: tokenId, key: deriveAgentSeed(token) } };
};

/** The control plane checks the same again at each change. */
export const isCallerInForce = ({ tokenId, author }: ScimCaller, { approvers: { directory } }: WorkspaceAuthority): boolean => {
  const token = directory.provision.tokens.get(tokenId);

  return (
    token !== undefined &&
    token.publicKey === getPublicKey(author.key) &&
    isTokenInForce(token, directory.inForce?.directory ?? null, systemClock.now())
  );
};
