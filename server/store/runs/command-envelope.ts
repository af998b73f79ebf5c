import { computeCommandDigest, commandEnvelopeSchema, type CommandEnvelope } from "@/lib/command-envelope";
import { jsonSchema, type Json } from "@/lib/json";
import { signWithSeed, type SessionKey } from "@/server/security/session-key";
import type { Vault } from "@/server/security/vault";
import type { CommandAuthor, NewCommand } from "./commands";

export type AgentSigner =
  | { readonly type: "token"; readonly key: string }
  | { readonly type: "owner"; readonly id: string; readonly session: SessionKey };

export type Sender =
  | { readonly type: "link"; readonly id: string; readonly token: string }
  | { readonly type: "personal"; readonly id: string; readonly token: string; readonly key: string }
  | { readonly type: "directory"; readonly token: string; readonly key: string }
  | { readonly type: "wait"; readonly token: string }
  | { readonly type: "user"; readonly id: string; readonly session: SessionKey | null }
  | { readonly type: "agent"; readonly token: string; readonly session: string | null; readonly signer: AgentSigner };

/** It opens only here. */
export type Unsealed = {
  readonly workspaceId: string;
  readonly place: string;
  readonly runId: string;
  readonly author: Sender;
  readonly sentAt: number;
  readonly body: Json;
};

const authorOf = (sender: Sender): CommandEnvelope["author"] => {
  if (sender.type === "user") return { type: "user", id: sender.id, session: sender.session?.id ?? null };
  if (sender.type === "link" || sender.type === "wait") return sender;
  if (sender.type === "personal") return { type: "personal", id: sender.id, token: sender.token };
  if (sender.type === "directory") return { type: "directory", token: sender.token };
  const { type, token, session, signer } = sender;

  return { type, token, session, by_hand: signer.type === "owner" ? { user: signer.id, session: signer.session.id } : null };
};

const seedOf = (sender: Sender): string | null => {
  if (sender.type === "user") return sender.session?.key ?? null;
  if (sender.type === "link" || sender.type === "wait") return null;
  if (sender.type === "personal" || sender.type === "directory") return sender.key;

  return sender.signer.type === "owner" ? sender.signer.session.key : sender.signer.key;
};

export const sealEnvelope = (
  vault: Pick<Vault, "sealCommand">,
  { workspaceId, place, runId, author: sender, sentAt, body }: Unsealed,
): Uint8Array<ArrayBuffer> => {
  const asked = { author: authorOf(sender), run: runId, sent_at: sentAt, body };
  const key = seedOf(sender);
  const signature = key === null ? null : signWithSeed(key, computeCommandDigest({ workspace: workspaceId, place, ...asked }));

  return vault.sealCommand(workspaceId, place, { v: 4, ...asked, signature });
};

/** @returns `forged`: not sealed for this place; `malformed`: no command */
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

/** Removes undefined members, which canonical JSON lacks. */
export const toPlainBody = (body: object): Json => jsonSchema.parse(JSON.parse(JSON.stringify(body)));

type Command = Omit<Unsealed, "place" | "body"> & { readonly id: string; readonly body: { readonly kind: string } };

const rowOf = (author: Sender): CommandAuthor => {
  if (author.type === "directory" || author.type === "wait") return { tokenId: author.token, sessionId: null };

  return author.type === "agent" ? { tokenId: author.token, sessionId: author.session } : { userId: author.id };
};

export const sealCommand = (vault: Pick<Vault, "sealCommand">, { id, body, ...command }: Command): NewCommand => {
  const { author, runId } = command;

  return { ...rowOf(author), id, runId, kind: body.kind, body: sealEnvelope(vault, { ...command, place: id, body: toPlainBody(body) }) };
};
