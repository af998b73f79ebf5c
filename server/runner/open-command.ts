import type { z } from "zod";
import { computeCommandDigest, type CommandEnvelope } from "@/lib/command-envelope";
import type { HexDigest } from "@/lib/hash";
import type { RefusalCode } from "@/lib/refusal";
import type { RunnerDeps } from "@/server/runner/deps";
import { openEnvelope } from "@/server/store/runs/command-envelope";
import type { CommandAuthor, PendingCommand } from "@/server/store/runs/commands";

export type CommandSignature = {
  readonly by:
    | { readonly type: "session"; readonly user: string; readonly id: string }
    | { readonly type: "token" }
    | { readonly type: "directory" }
    | { readonly type: "personal"; readonly token: string };
  readonly digest: HexDigest;
  readonly signature: string;
};

/** `identify` verifies the signature. */
export type OpenedCommand = Omit<PendingCommand, "body"> & {
  readonly sentAt: number;
  readonly signed: CommandSignature | null;
  readonly link: string | null;
  /** Id of a wait's token. */
  readonly wait: string | null;
  readonly body: CommandEnvelope["body"];
};

/** People wait seconds; later commands were held back. */
const MOST_AGE_MS = 10 * 60_000;

const authorOf = ({ author }: CommandEnvelope): CommandAuthor => {
  if (author.type === "directory" || author.type === "wait") return { tokenId: author.token, sessionId: null };

  return author.type === "agent" ? { tokenId: author.token, sessionId: author.session } : { userId: author.id };
};

const isSameAuthor = (a: CommandAuthor, b: CommandAuthor): boolean =>
  "userId" in a ? "userId" in b && a.userId === b.userId : "tokenId" in b && a.tokenId === b.tokenId && a.sessionId === b.sessionId;

const signerOf = (author: CommandEnvelope["author"]): CommandSignature["by"] | null => {
  if (author.type === "link" || author.type === "wait") return null;
  if (author.type === "directory") return { type: "directory" };
  if (author.type === "personal") return { type: "personal", token: author.token };
  if (author.type === "user") return author.session === null ? null : { type: "session", user: author.id, id: author.session };

  return author.by_hand === null ? { type: "token" } : { type: "session", user: author.by_hand.user, id: author.by_hand.session };
};

const signatureOf = (workspace: string, place: string, envelope: CommandEnvelope): CommandSignature | "forged" | null => {
  const { author, signature } = envelope;
  const by = signerOf(author);
  if (by === null) return null;

  return signature === null ? "forged" : { by, digest: computeCommandDigest({ workspace, place, ...envelope }), signature };
};

/** Opens a command, or returns why it is void. @param place its sealing place, if not its id */
export const openCommand = (
  { vault, clock }: Pick<RunnerDeps, "vault" | "clock">,
  command: PendingCommand,
  place: string = command.id,
): OpenedCommand | RefusalCode => {
  const { workspaceId } = command;
  const envelope = openEnvelope(vault, { workspaceId, place, sealed: command.body });
  if (envelope === "malformed") return envelope;
  if (envelope === "forged" || envelope.run !== command.runId || !isSameAuthor(authorOf(envelope), command.author)) return "command_forged";
  const signed = signatureOf(workspaceId, place, envelope);
  if (signed === "forged") return "command_forged";
  if (clock.now() - envelope.sent_at > MOST_AGE_MS) return "command_stale";

  const link = envelope.author.type === "link" ? envelope.author.token : null;
  const wait = envelope.author.type === "wait" ? envelope.author.token : null;

  return { ...command, sentAt: envelope.sent_at, signed, link, wait, body: envelope.body };
};

export const readBody = <T>({ body }: OpenedCommand, schema: z.ZodType<T>): T | null => schema.safeParse(body).data ?? null;
