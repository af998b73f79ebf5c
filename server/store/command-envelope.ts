/** Seals and opens commands: author, run and time are inside, where nobody without a vault key can change them. */
import { commandEnvelopeSchema, type CommandEnvelope, type EnvelopeAuthor } from "@/lib/command-envelope";
import { jsonSchema, type Json } from "@/lib/json";
import type { Vault } from "@/server/security/vault";
import type { NewCommand } from "./commands";

/** What is sealed, and the place that it is sealed for: its bytes open nowhere else. */
export type Unsealed = {
  readonly workspaceId: string;
  readonly place: string;
  readonly runId: string;
  readonly author: EnvelopeAuthor;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  readonly body: Json;
};

export const sealEnvelope = (
  vault: Pick<Vault, "sealCommand">,
  { workspaceId, place, runId, author, sentAt, body }: Unsealed,
): Uint8Array<ArrayBuffer> => vault.sealCommand(workspaceId, place, { v: 2, author, run: runId, sent_at: sentAt, body });

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
