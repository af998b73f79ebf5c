/** Seals and opens commands: author, run, time and signature are inside, where only holders of a vault key can read them. */
import { commandDigest, commandEnvelopeSchema, type CommandEnvelope } from "@/lib/command-envelope";
import { jsonSchema, type Json } from "@/lib/json";
import { signWithSeed, type SessionKey } from "@/server/security/session-key";
import type { Vault } from "@/server/security/vault";
import type { NewCommand } from "./commands";

/** Who signs what an agent asks: the key of its token, or its owner who tries it out from their own session. */
export type AgentSigner =
  | { readonly type: "token"; /** The seed. */ readonly key: string }
  | { readonly type: "owner"; readonly id: string; readonly session: SessionKey };

/** Who sends a command. A person signs with the key of their session; null where the product itself acts. */
export type Sender =
  | { readonly type: "user"; readonly id: string; readonly session: SessionKey | null }
  | { readonly type: "agent"; readonly token: string; readonly session: string | null; readonly signer: AgentSigner };

/** What is sealed, and the place that it is sealed for: its bytes open nowhere else. */
export type Unsealed = {
  readonly workspaceId: string;
  readonly place: string;
  readonly runId: string;
  readonly author: Sender;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  readonly body: Json;
};

const authorOf = (sender: Sender): CommandEnvelope["author"] => {
  if (sender.type === "user") return { type: "user", id: sender.id, session: sender.session?.id ?? null };
  const { type, token, session, signer } = sender;

  return { type, token, session, by_hand: signer.type === "owner" ? { user: signer.id, session: signer.session.id } : null };
};

/** Returns the seed that signs; null where the product itself acts. */
const seedOf = (sender: Sender): string | null => {
  if (sender.type === "user") return sender.session?.key ?? null;

  return sender.signer.type === "owner" ? sender.signer.session.key : sender.signer.key;
};

export const sealEnvelope = (
  vault: Pick<Vault, "sealCommand">,
  { workspaceId, place, runId, author: sender, sentAt, body }: Unsealed,
): Uint8Array<ArrayBuffer> => {
  const asked = { author: authorOf(sender), run: runId, sent_at: sentAt, body };
  const key = seedOf(sender);
  const signature = key === null ? null : signWithSeed(key, commandDigest({ workspace: workspaceId, place, ...asked }));

  return vault.sealCommand(workspaceId, place, { v: 4, ...asked, signature });
};

/** @returns `forged`: not sealed here for this place; `malformed`: sealed, but no command */
export const openEnvelope = (
  vault: Pick<Vault, "openCommand">,
  { workspaceId, place, sealed }: { readonly workspaceId: string; readonly place: string; readonly sealed: Uint8Array },
): CommandEnvelope | "forged" | "malformed" => {
  try {
    return commandEnvelopeSchema.safeParse(vault.openCommand(workspaceId, place, sealed)).data ?? "malformed";
  } catch {
    return "forged";
  }
};

/** Removes members that are undefined, which canonical JSON does not have. */
export const plainBody = (body: object): Json => jsonSchema.parse(JSON.parse(JSON.stringify(body)));

type Command = Omit<Unsealed, "place" | "body"> & { readonly id: string; readonly body: { readonly kind: string } };

/** Builds the row of a command. */
export const sealCommand = (vault: Pick<Vault, "sealCommand">, { id, body, ...command }: Command): NewCommand => {
  const { author, runId } = command;
  const by = author.type === "user" ? { userId: author.id } : { tokenId: author.token, sessionId: author.session };

  return { ...by, id, runId, kind: body.kind, body: sealEnvelope(vault, { ...command, place: id, body: plainBody(body) }) };
};
